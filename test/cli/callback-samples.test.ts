// The verification samples of docs/callbacks.md: they accept what a signer of another maker signed, and nothing that was changed.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { temporaryFile } from './running';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const otherSecret = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const body = '{"updateType":"TOKEN_STATE_CHANGE","note":"Zoë ✓"}';
const id = '0d1c5b0e-6a0f-4c3e-9b44-0c7d0f6b1a52';

const guide = readFileSync(resolve(__dirname, '../../docs/callbacks.md'), 'utf8');

function sampleIn(language: string): string {
  const found = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(guide)?.[1];
  if (!found) throw new Error(`docs/callbacks.md has no sample in ${language}`);
  return found;
}

/** Runs the sample in its own language; `input` comes over stdin. */
const verifiers: Record<string, () => [command: string, file: string]> = {
  js: () => [
    process.execPath,
    temporaryFile(
      'verify.mjs',
      `${sampleIn('js')}
import { readFileSync } from 'node:fs';
const { headers, body, secret } = JSON.parse(readFileSync(0, 'utf8'));
console.log(isGenuine(headers, Buffer.from(body), secret));`,
    ),
  ],
  python: () => [
    'python3',
    temporaryFile(
      'verify.py',
      `${sampleIn('python')}
import json, sys
asked = json.load(sys.stdin)
print(str(is_genuine(asked["headers"], asked["body"].encode(), asked["secret"])).lower())`,
    ),
  ],
};

function headersOf(at: Date, secrets: string[]): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((each) => new Webhook(each).sign(id, at, body)).join(' '),
  };
}

// python3 is what the closed-network start uses too; where there is none, only the JavaScript sample can be run.
const languages = Object.keys(verifiers).filter(
  (name) => name === 'js' || spawnSync('python3', ['--version']).status === 0,
);

describe.each(languages)('the %s sample', (language) => {
  const [command, file] = verifiers[language]?.() ?? ['', ''];
  const now = new Date();
  const early = new Date(now.getTime() - 301_000);

  it.each<[string, { headers: Record<string, string>; body: string }, boolean]>([
    ['accepts a genuine callback', { headers: headersOf(now, [secret]), body }, true],
    ['accepts one of two signatures during a rotation', { headers: headersOf(now, [otherSecret, secret]), body }, true],
    ['refuses another secret', { headers: headersOf(now, [otherSecret]), body }, false],
    ['refuses a changed body', { headers: headersOf(now, [secret]), body: body.replace('STATE', 'STATe') }, false],
    ['refuses another id', { headers: { ...headersOf(now, [secret]), 'webhook-id': 'x' }, body }, false],
    ['refuses a callback of more than five minutes ago', { headers: headersOf(early, [secret]), body }, false],
  ])('%s', (_case, callback, isGenuine) => {
    const run = spawnSync(command, [file], { input: JSON.stringify({ ...callback, secret }), encoding: 'utf8' });
    expect({ answer: run.stdout.trim(), error: run.stderr }).toEqual({ answer: String(isGenuine), error: '' });
  });
});

it('names the three languages that partners asked for', () => {
  for (const language of ['js', 'python', 'go']) expect(sampleIn(language)).toContain('webhook-signature');
});
