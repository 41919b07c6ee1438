// The field script: puts card-field frames into a shop's own page and tells it what happens in them; it never sees a card number (hosted checkout, fields).
import type { FieldEvent, FieldId, FieldSet, MountedFields, MountOptions, Theme } from './payment-fields';
import { type ColorScheme, channelName, type FromFrame, isMessage, type ToFrame } from './wire';

interface Field {
  id: FieldId;
  container: Element;
  frame: HTMLIFrameElement;
  origin: string;
  isReady: boolean;
  /** What the frame said when it was there, until the shop is told. */
  ready: FieldEvent | null;
  /** Stands beside a frame that did not load in time. */
  note: Element | null;
}

const script = document.currentScript as HTMLScriptElement | null;
const integrity = script?.integrity ?? '';
const darkness = matchMedia('(prefers-color-scheme: dark)');
let latest: MountedFields | null = null;

function mount(options: MountOptions): MountedFields {
  const { onEvent = () => undefined, labels = {}, frameTimeoutMs = 10_000, confirmTimeoutMs = 60_000 } = options;
  let theme = options.theme ?? {};
  const tell = (event: FieldEvent) => onEvent(event);
  assertPlace(options, tell);
  const fields = Object.entries(options.containers).map(([id, place]) =>
    createField(id, containerOf(id, place), options),
  );
  const confirmations = new Set<(outcome: string | Error) => void>();
  /** Fields that have not said yet that what they show is what the server holds. */
  const unchecked = new Set<Field>();
  const answerAll = (outcome: string | Error) => confirmations.forEach((answer) => void answer(outcome));
  warnAbout(theme);

  const send = ({ frame, origin }: Field, message: ToFrame) => frame.contentWindow?.postMessage(message, origin);
  const configure = (field: Field) =>
    send(field, {
      channel: channelName,
      type: 'configure',
      theme,
      words: labels[field.id] ?? {},
      scheme: adopt(field),
    });
  const reconfigure = () => fields.forEach(configure);

  function hear({ data, source, origin }: MessageEvent): void {
    const field = fields.find(({ frame }) => frame.contentWindow === source);
    if (!field || origin !== field.origin || !isMessage(data)) return;
    const message = data as FromFrame;
    if (message.type === 'title') field.frame.title ||= message.title;
    else if (message.type === 'size') setHeight(field, message.height);
    else if (message.type === 'checked') noteChecked(field, message.isSettled);
    else if (message.type === 'confirmed') answerAll(message.state ?? failure('not confirmed'));
    else if (message.type === 'event') {
      if (message.event.type === 'ready') dress(field, message.event);
      else tell(message.event);
    }
  }

  /** Once every field shows what the server holds, the first one confirms: nothing is confirmed that the payer does not see. */
  function noteChecked(field: Field, isSettled: boolean): void {
    const [first] = fields;
    if (!unchecked.delete(field) || confirmations.size === 0 || !first) return;
    if (isSettled) {
      if (unchecked.size === 0) send(first, { channel: channelName, type: 'confirm' });
      return;
    }
    unchecked.clear();
    answerAll(failure('not confirmed'));
  }

  /** The frame is there: it gets its looks and words. The shop hears of it once its height is known, so that nothing moves under the payer's pointer. */
  function dress(field: Field, ready: FieldEvent): void {
    field.isReady = true;
    field.ready = ready;
    // It was slow, not blocked.
    field.note?.remove();
    configure(field);
  }

  function setHeight(field: Field, height: number): void {
    field.frame.style.height = `${Math.min(2_000, Math.max(0, height))}px`;
    const { ready } = field;
    field.ready = null;
    if (ready) tell(ready);
  }
  addEventListener('message', hear);
  darkness.addEventListener('change', reconfigure);

  const timers = fields.map((field) => setTimeout(() => assertLoaded(field, tell), frameTimeoutMs));
  const unlabel = fields.map((field) => forwardLabels(field, () => mounted.focus(field.id)));
  for (const { container, frame } of fields) container.replaceChildren(frame);

  const mounted: MountedFields = {
    check: () => fields.forEach((field) => void send(field, { channel: channelName, type: 'check' })),
    focus(fieldId) {
      const field = fields.find(({ id }) => id === fieldId);
      if (!field) throw failure(`there is no field ${fieldId}`);
      field.frame.focus();
      send(field, { channel: channelName, type: 'focus' });
    },
    confirm() {
      if (fields.length === 0) return Promise.reject(failure('no field is mounted'));
      for (const field of fields) unchecked.add(field);
      mounted.check();
      return new Promise((resolve, reject) => {
        const answer = (outcome: string | Error) => {
          confirmations.delete(answer);
          clearTimeout(timer);
          if (typeof outcome === 'string') resolve(outcome);
          else reject(outcome);
        };
        const timer = setTimeout(() => answer(failure('the fields did not answer in time')), confirmTimeoutMs);
        confirmations.add(answer);
      });
    },
    setTheme(next) {
      theme = next;
      warnAbout(theme);
      reconfigure();
    },
    unmount() {
      removeEventListener('message', hear);
      darkness.removeEventListener('change', reconfigure);
      timers.forEach(clearTimeout);
      for (const stop of unlabel) stop();
      for (const { frame, note } of fields) {
        frame.remove();
        note?.remove();
      }
      answerAll(failure('the fields were unmounted'));
      if (latest === mounted) latest = null;
    },
  };
  latest = mounted;
  return mounted;
}

/** Refuses to run where the order was not built for, and with a script that is not the one that the server named. */
function assertPlace({ merchantOrigin, fieldSet }: MountOptions, tell: (event: FieldEvent) => void): void {
  if (merchantOrigin && merchantOrigin !== location.origin)
    fail(tell, 'WRONG_ORIGIN', `this page is ${location.origin}, the order was built for ${merchantOrigin}`);
  const { sriHash } = fieldSet;
  if (sriHash && integrity && sriHash !== integrity)
    fail(tell, 'INTEGRITY_MISMATCH', `the script tag has integrity ${integrity}, the order names ${sriHash}`);
  if (sriHash && !integrity)
    console.warn(`PaymentFields: load the script with integrity="${sriHash}" crossorigin="anonymous"`);
}

function fail(tell: (event: FieldEvent) => void, code: string, message: string): never {
  console.error(`PaymentFields: ${code}: ${message}`);
  tell({ type: 'error', fieldId: null, code, message });
  throw failure(message);
}

function failure(message: string): Error {
  return new Error(`PaymentFields: ${message}`);
}

/** Loud about a place that cannot hold a frame: an empty field that says nothing costs a shop its sales. */
function containerOf(id: string, place: Element | string | undefined): Element {
  const element = typeof place === 'string' ? document.querySelector(place) : place;
  if (!element) throw failure(`there is no element ${String(place)} for ${id}`);
  if (/^(INPUT|TEXTAREA|SELECT|IMG|IFRAME)$/.test(element.tagName))
    throw failure(`${id} needs a container such as a div, not <${element.tagName.toLowerCase()}>`);
  return element;
}

function createField(id: string, container: Element, { fieldSet, labels = {}, containers }: MountOptions): Field {
  const src = sourceOf(id, fieldSet);
  const frame = document.createElement('iframe');
  const words = labels[id] ?? {};
  frame.title = words.title ?? words.label ?? '';
  frame.style.cssText = `display:block;width:100%;height:${firstHeight(id)}px;border:0;background:transparent`;
  const field = { id, container, frame, origin: new URL(src).origin, isReady: false, ready: null, note: null };
  frame.src = `${src}?scheme=${adopt(field)}&with=${Object.keys(containers).join()}`;
  return field;
}

/** Of a frame that has not told its own yet; a date and a code have a hint below. */
function firstHeight(id: string): number {
  return id === 'EXPIRATION_DATE' || id === 'SECURITY_CODE' ? 101 : 77;
}

/** A page that is drawn light for everybody keeps its fields light; frame and page must agree, or the browser paints a ground between them. */
function adopt({ container, frame }: Pick<Field, 'container' | 'frame'>): ColorScheme {
  const { colorScheme } = getComputedStyle(container);
  const isDark = /dark/.test(colorScheme) && (darkness.matches || !/light/.test(colorScheme));
  frame.style.colorScheme = isDark ? 'dark' : 'light';
  return isDark ? 'dark' : 'light';
}

function sourceOf(id: string, { fields }: FieldSet): string {
  const own = fields.find((field) => field.id === id);
  const any = fields.find(({ type }) => type === 'TEXT');
  const src =
    own?.src ?? (id === 'COMBINED' ? any && `${any.src.slice(0, any.src.lastIndexOf('/') + 1)}COMBINED` : undefined);
  if (!src) throw failure(`the order has no field ${id}`);
  return src;
}

function assertLoaded(field: Field, tell: (event: FieldEvent) => void): void {
  if (field.isReady) return;
  const { id, container } = field;
  const message = `the frame of ${id} did not load; is ${location.origin} registered for the terminal?`;
  console.error(`PaymentFields: FRAME_BLOCKED: ${message}`);
  const note = document.createElement('p');
  note.setAttribute('role', 'alert');
  note.textContent = 'This card field could not be loaded.';
  container.append(note);
  field.note = note;
  tell({ type: 'error', fieldId: id, code: 'FRAME_BLOCKED', message });
}

/** A click on the page's own label reaches the field, as with an input of the page. */
function forwardLabels({ container }: Field, focus: () => void): () => void {
  const { id } = container;
  const own = id === '' ? [] : [...document.querySelectorAll(`label[for="${CSS.escape(id)}"]`)];
  for (const label of own) label.addEventListener('click', focus);
  return () => {
    for (const label of own) label.removeEventListener('click', focus);
  };
}

function warnAbout({ colorText, colorBackground, colorError }: Theme): void {
  if (!colorBackground) return;
  for (const [name, color] of Object.entries({ colorText, colorError })) {
    const ratio = color ? contrast(color, colorBackground) : 21;
    if (ratio < 4.5) console.warn(`PaymentFields: ${name} has a contrast of ${ratio.toFixed(1)}, payers need 4.5`);
  }
}

/** WCAG contrast of two hexadecimal colours. */
function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const hex = color.length === 4 ? color.replace(/[^#]/g, '$&$&') : color;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

window.PaymentFields = {
  version: '1',
  mount,
  confirm: () => latest?.confirm() ?? Promise.reject(failure('nothing is mounted')),
};
