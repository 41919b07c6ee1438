// The corpus of the address guard: forbidden literals in every spelling that some parser takes, and addresses that names may resolve to.

/** One or more inside each refused range, at its edges where that is cheap. */
export const forbiddenIpv4 = [
  '0.0.0.0',
  '0.1.2.3',
  '0.255.255.255',
  '10.0.0.0',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.0',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.0.0.2',
  '127.1.2.3',
  '127.255.255.255',
  '169.254.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '172.16.0.1',
  '172.20.10.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '192.168.1.254',
  '192.168.255.255',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '250.1.2.3',
  '255.255.255.255',
];

export const forbiddenIpv6 = [
  '::',
  '::1',
  '::2',
  '::7f00:1',
  '::ffff:7f00:1',
  '::ffff:a00:1',
  '::ffff:a9fe:a9fe',
  '::ffff:808:808',
  '::ffff:0:7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b::a00:1',
  '64:ff9b:1::a00:1',
  '100::1',
  '100:0:0:1::1',
  '2001::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2001:db8:ffff::1',
  '2002:7f00:1::',
  '2002:a00:1::1',
  '2002:c0a8:101::1',
  '3fff::1',
  '3fff:fff::1',
  '4000::1',
  '5f00::1',
  '8000::1',
  'a000::1',
  'c000::1',
  'e000::1',
  'fc00::1',
  'fd00::1',
  'fd12:3456:789a::1',
  'fe80::1',
  'fe80::a9fe:a9fe',
  'febf::1',
  'fec0::1',
  'feff::1',
  'ff00::1',
  'ff02::1',
  'ff0e::1',
  'ffff::1',
];

export const routableAddresses = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.1',
  '192.0.3.1',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2400:cb00::1',
  '2606:4700:4700::1111',
  '2a00:1450::1',
  '3ffe::1',
];

/** URLs with a forbidden literal, written plainly and in the spellings that hide one. */
export function forbiddenUrls(port: number): string[] {
  const urls: string[] = [];
  for (const address of forbiddenIpv4) {
    const hosts = [...ipv4Spellings(address), `[::ffff:${address}]`, `[::${address}]`, `[64:ff9b::${address}]`];
    for (const host of hosts) urls.push(`https://${host}:${port}/hook`);
    if (address !== '127.0.0.1') urls.push(`http://${address}:${port}/hook`);
  }
  for (const address of forbiddenIpv6) {
    urls.push(
      `https://[${address}]:${port}/hook`,
      `http://[${address}]/`,
      `https://[${address.toUpperCase()}]:${port}/x`,
    );
  }
  return [...urls, ...oddTargets(port), ...malformed];
}

function ipv4Spellings(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (value: number) => `0x${value.toString(16)}`;
  const octal = (value: number) => `0${value.toString(8)}`;
  return [
    address,
    `${address}.`,
    String(whole),
    hex(whole),
    octal(whole),
    [a, b, c, d].map(hex).join('.'),
    [a, b, c, d].map(octal).join('.'),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${hex(a)}.${b}.${octal(c)}.${d}`,
    address.replaceAll('.', '%2e'),
    address.replaceAll('.', '。'),
    [...address]
      .map((character) => (/\d/.test(character) ? String.fromCharCode(0xff10 + Number(character)) : character))
      .join(''),
  ];
}

/** This machine, in ways that read like something else. */
function oddTargets(port: number): string[] {
  return [
    `https://localhost:${port}/`,
    `https://LOCALHOST:${port}/`,
    `https://localhost.:${port}/`,
    `https://a.localhost:${port}/`,
    `http://[::1]:${port}/`,
    `http://0.0.0.0:${port}/`,
    `http://127.1:${port}/`,
    `http://127.0.0.1.:${port}/`,
    `https://127.0.0.1:${port}/`,
    `https://user@127.0.0.1:${port}/`,
    `https://example.com@127.0.0.1:${port}/`,
    `https://127.0.0.1:${port}\\@example.com/`,
    `https://example.com:${port}#@127.0.0.1/`,
    `https://example.com\\@127.0.0.1:${port}/`,
    `https://127.0.0.1\t:${port}/`,
    `https://127.0.0.1%00.example.com:${port}/`,
    `https://[::ffff:127.0.0.1%25lo]:${port}/`,
    `https://[fe80::1%25eth0]:${port}/`,
    `https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:${port}/`,
    `https://１２７.０.０.１:${port}/`,
    `https://①②⑦.⓪.⓪.①:${port}/`,
    `//127.0.0.1:${port}/`,
    `https:127.0.0.1:${port}/`,
    `https:/127.0.0.1:${port}/`,
    `https:///127.0.0.1:${port}/`,
    `HTTPS://127.0.0.1:${port}/`,
    `ftp://127.0.0.1:${port}/`,
    `gopher://127.0.0.1:${port}/_x`,
  ];
}

/** Addresses that are none, or not in the one form that is accepted. */
const malformed = [
  `file:///etc/passwd`,
  `data:text/plain,x`,
  `javascript:alert(1)`,
  `unix:///var/run/docker.sock`,
  `https://example.com:0/`,
  `https://example.com:65536/`,
  `https://example.com:00443/`,
  `https://example.com:/`,
  `https://example.com/a/../b`,
  `https://example.com/%2e%2e/b`,
  `https://example.com/a b`,
  `https://example.com/\u0000`,
  `https://example.com/é`,
  `https://exämple.com/`,
  `https://example.com./`,
  `https://.example.com:x/`,
  `https://`,
  `https:// `,
  `http://example.com/`,
  ` https://example.com/`,
  `https://example.com/\r\nX: y`,
  `https://example.com/\n`,
  `https://ex%61mple.com/`,
  `https://example.com/#`,
  `https://u:p@example.com/`,
  `https://:p@example.com/`,
  `https://${'a'.repeat(2048)}.com/`,
  '',
  'not a url',
  'null',
  '[object Object]',
];
