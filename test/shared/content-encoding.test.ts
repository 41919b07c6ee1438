// Which form of a text goes to whom, by Accept-Encoding (RFC 9110 sections 12.4.2 and 12.5.3): by weight, then brotli before gzip before as it is.
import { type ContentEncoding, contentEncodingOf } from '../../subgraphs/shared/http/content-encoding';

/** Of a long text, and of a short one. */
const rows: [string | undefined, ContentEncoding | null, ContentEncoding | null][] = [
  [undefined, null, null],
  ['', null, null],
  ['br', 'br', null],
  ['gzip', 'gzip', null],
  ['GZIP', 'gzip', null],
  ['gzip, deflate, br, zstd', 'br', null],
  ['gzip;q=1, br;q=1', 'br', null],
  ['br;q=0.1, gzip;q=1', 'gzip', null],
  ['br;q=1, gzip;q=0.1', 'br', null],
  ['br;q=0.001', 'br', null],
  ['br;q=0, gzip', 'gzip', null],
  ['gzip;q=0', null, null],
  ['br;q=0, gzip;q=0', null, null],
  ['deflate', null, null],
  ['*', 'br', null],
  ['*;q=0.5, br;q=0', 'gzip', null],
  ['*;q=0, gzip', 'gzip', 'gzip'],
  ['*;q=0, identity;q=0.1', null, null],
  ['identity', null, null],
  ['identity;q=1, gzip;q=0.5', null, null],
  ['identity;q=0.5, gzip;q=1', 'gzip', null],
  ['identity;q=0, gzip', 'gzip', 'gzip'],
  ['identity;q=0, br;q=0.1, gzip', 'gzip', 'gzip'],
  ['identity;q=0, *', 'br', 'br'],
  // Nothing that there is: as it is, which the rules leave to whoever answers.
  ['identity;q=0', null, null],
  ['*;q=0', null, null],
  ['identity;q=0, gzip;q=0', null, null],
];

it.each(rows)('%s: a long text as %s, a short one as %s', (accepted, long, short) => {
  expect([contentEncodingOf(accepted), contentEncodingOf(accepted, true)]).toEqual([long, short]);
});
