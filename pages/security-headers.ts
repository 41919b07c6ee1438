// The security headers of each kind of page: nothing from elsewhere, no inline script or style, framed by nobody or by one registered origin.

/** On every answer; a page's own headers win. */
export const commonHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
};

/**
 * A page that stands alone: nobody may frame it, and its forms come back to it.
 * `formTargets` are origins that an answer to a form may lead to, because browsers hold a redirect after a form to `form-action` too.
 */
export function pageHeaders(formTargets: readonly string[] = []): Record<string, string> {
  return {
    'content-security-policy': policy({
      'form-action': ["'self'", ...formTargets].join(' '),
      'frame-ancestors': "'none'",
    }),
    'cross-origin-opener-policy': 'same-origin',
    'x-frame-options': 'DENY',
  };
}

/** A page of ours that has no script at all and that no search engine keeps. */
export function scriptlessHeaders(): Record<string, string> {
  return {
    ...pageHeaders(),
    'content-security-policy': policy({
      'script-src': "'none'",
      'connect-src': "'none'",
      'form-action': "'self'",
      'frame-ancestors': "'none'",
    }),
    'x-robots-tag': 'noindex, nofollow, noarchive',
  };
}

/** A card field: framed by the one origin that the merchant registered, and by nothing else. */
export function frameHeaders(merchantOrigin: string): Record<string, string> {
  return {
    'content-security-policy': policy({ 'form-action': "'none'", 'frame-ancestors': merchantOrigin }),
    'cross-origin-resource-policy': 'cross-origin',
  };
}

/** The demo shop: it frames the card fields of the payment pages, loads their script and nothing else from outside. */
export function shopHeaders(payOrigin: string): Record<string, string> {
  return {
    'content-security-policy': policy({
      'script-src': `'self' ${payOrigin}`,
      'frame-src': payOrigin,
      'form-action': `'self' ${payOrigin}`,
      'frame-ancestors': "'none'",
    }),
    'x-frame-options': 'DENY',
  };
}

function policy(own: Record<string, string>): string {
  const directives: Record<string, string> = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self'",
    'connect-src': "'self'",
    'base-uri': "'none'",
    ...own,
  };
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}
