// What /sign-in says where nobody signs in: production without a provider.
import { DomainError } from '../../subgraphs/shared/errors';
import { sendText } from '../../subgraphs/shared/http/send-text';
import { contextRequestId } from '../context';
import { refusal } from '../errors';
import { printResult } from '../http/http-reply';
import { usualMediaType } from '../http/media-type';
import type { SignIn } from './sign-in';

const noStore = { 'content-type': usualMediaType.contentType, 'cache-control': 'no-store' };
const nobodysWays = '{"signsIn":false,"person":null,"people":[]}';

export const noSignIn: Pick<SignIn, 'handle'> = {
  async handle(request, response, path) {
    if (path === '/sign-in/ways') return sendText(response, { status: 200, headers: noStore, text: nobodysWays });
    const words = 'people do not sign in here: no identity provider is configured (OIDC_ISSUER)';
    const text = printResult({ errors: [refusal(new DomainError('notFound', words)).toJSON()] });
    sendText(response, {
      status: 404,
      headers: { 'content-type': usualMediaType.contentType, 'x-request-id': contextRequestId(request.headers) },
      text,
    });
  },
};
