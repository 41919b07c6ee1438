// Server-sent events out of a body, as the HTML standard spells them: blocks of `field: value` lines, each ended by an empty line.
export interface StreamedEvent {
  id: string | null;
  type: string;
  data: string;
}

/** `heard` at each piece that comes, be it a comment; ends with the body. */
export async function readEventStream(
  body: ReadableStream<Uint8Array>,
  heard: () => void,
  next: (event: StreamedEvent) => void,
): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    heard();
    const blocks = `${rest}${decoder.decode(value, { stream: true })}`.split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = eventOf(block);
      if (event) next(event);
    }
  }
}

/** Null for comments and hints. */
function eventOf(block: string): StreamedEvent | null {
  const fields = new Map<string, string>();
  for (const line of block.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
    const before = name === 'data' ? fields.get(name) : undefined;
    fields.set(name, before === undefined ? value : `${before}\n${value}`);
  }
  const data = fields.get('data');
  return data === undefined ? null : { id: fields.get('id') ?? null, type: fields.get('event') ?? 'message', data };
}
