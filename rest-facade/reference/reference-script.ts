// The script of the API reference: which API it shows, what it fills in, and ids that are new with each call. Plain JavaScript for the browser.

/** `known` is the list of APIs that the page's own line in front of it names. */
const script = `const asked = new URLSearchParams(location.search).get('api');
const isDark = matchMedia('(prefers-color-scheme: dark)');
const shade = () => document.documentElement.classList.toggle('dark-mode', isDark.matches);
isDark.addEventListener('change', shade);
shade();
const newId = () => {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  const hex = bytes.map((each) => each.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};
// Calls that nobody gave an id of their own get a new one each time.
const unchosen = newId();
const ids = ['Correlation-Id', 'X-Request-ID'];
// A link of "pay reference" carries the sandbox's credentials behind its #; the browser keeps them, the address does not.
const kept = 'sandbox-credentials';
const carried = new URLSearchParams(location.hash.slice(1)).get('credentials');
if (carried) {
  localStorage.setItem(kept, atob(carried.replaceAll('-', '+').replaceAll('_', '/')));
  history.replaceState(null, '', location.pathname + location.search);
}
const api = known.includes(asked) ? asked : known[0];
const { schemes = {}, parameters = {} } = JSON.parse(localStorage.getItem(kept) ?? '{}')[api] ?? {};
// What may be used once only is new in each example that the page shows.
const once = ['orderId', 'paymentNumber', 'transactionId'];
const renewed = (value) => {
  for (const [name, inner] of Object.entries(value ?? {})) {
    if (once.includes(name)) value[name] = name === 'transactionId' ? newId() : inner + newId().slice(0, 8);
    else if (typeof inner === 'object') renewed(inner);
  }
};
fetch('/openapi/' + api + '.json')
  .then((answer) => answer.json())
  .then((spec) => {
    for (const parameter of Object.values(spec.components?.parameters ?? {}))
      if (parameters[parameter.name]) {
        delete parameter.example;
        parameter.schema = { type: 'string', default: parameters[parameter.name] };
      } else if (ids.includes(parameter.name)) {
        delete parameter.example;
        delete parameter.examples;
        parameter.schema = { type: 'string', format: 'uuid', default: unchosen };
      }
    for (const methods of Object.values(spec.paths))
      for (const { requestBody } of Object.values(methods)) renewed(requestBody?.content?.['application/json']?.example);
    const reference = SwaggerUIBundle({
      spec,
      dom_id: '#reference',
      deepLinking: true,
      validatorUrl: null,
      defaultModelsExpandDepth: 0,
      persistAuthorization: true,
      onComplete: () => {
        for (const [scheme, value] of Object.entries(schemes)) reference.preauthorizeApiKey(scheme, value);
      },
      requestInterceptor: (request) => {
        for (const name of ids) if (request.headers[name] === unchosen) request.headers[name] = newId();
        return request;
      },
    });
  });
`;

/** Shows the API that the address asks for (?api=), the first one otherwise. */
export function startScript(families: readonly { family: string }[]): string {
  return `const known = ${JSON.stringify(families.map(({ family }) => family))};\n${script}`;
}
