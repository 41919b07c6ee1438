// The page of the sandbox's identity provider: five people, and a click says who you are.
import { html, type Markup } from '../../pages/html';
import { icons } from '../../pages/layout';
import { sandboxPeople } from './people';

export const chooserTitle = 'Who are you?';

/** `action`: where a click goes. */
export function chooserView(action: string): Markup {
  return html`<main class="card-sheet"><div class="issuer"><span class="issuer-name">${icons.lock}<span>Sandbox identity</span></span><span class="scheme">OpenID Connect</span></div><div class="ask">
<h1 id="title" tabindex="-1">${chooserTitle}</h1><p>These five people have accounts here. In production people sign in at your own provider.</p>
<form class="people" method="post" action="${action}"><ul>${sandboxPeople.map(
    ({ key, name, role, tenant, may }) =>
      html`<li><button class="person" name="person" value="${key}"><span class="person-name">${name}</span><span class="person-role">${tenant ? `tenant ${tenant}` : role}</span><span class="hint">${may}</span></button></li>`,
  )}</ul></form></div></main>`;
}

/** In place of what pages for payers say of cards. */
export const chooserFoot = html`<p class="secure">${icons.flask}<span>Part of the sandbox.</span></p>`;

export function lostView(): Markup {
  return html`<main class="card-sheet"><div class="issuer"><span class="issuer-name">${icons.lock}<span>Sandbox identity</span></span></div><div class="ask"><div class="end end-wait"><span class="seal" aria-hidden="true">${icons.alert}</span><h1>This sign-in is over</h1><p class="lead">It took too long, or was begun elsewhere.</p><p class="actions"><a class="button" href="/sign-in">Sign in</a></p></div></div></main>`;
}
