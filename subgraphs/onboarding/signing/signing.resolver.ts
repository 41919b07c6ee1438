// The signing page in the graph: the token in the verification link is the merchant's only credential (onboarding interface, verificationLink).
import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import { Allow } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import { type SigningPageView, signingPageView } from '../applications/application-view';
import type { OnboardingServiceDeps } from '../applications/saving.service';
import { abandonByLink, completeForm, failSignature, findByLink, sign } from './signing.service';
import { CompleteOnboardingFormInput, SigningPageType } from './signing.type';

@Resolver(() => SigningPageType)
export class SigningResolver {
  constructor(private readonly deps: OnboardingServiceDeps) {}

  @Allow('pages')
  @Query(() => SigningPageType, { nullable: true, description: 'Null: unknown, too old or replaced. Changes nothing.' })
  async signingPage(
    @Arg('linkToken', () => String, { description: "The secret part of the link in the merchant's mail." })
    linkToken: string,
  ): Promise<SigningPageView | null> {
    const found = await findByLink(this.deps, linkToken);
    return found && signingPageView(found);
  }

  @Allow('pages')
  @Mutation(() => SigningPageType, {
    description:
      "Fills in the merchant's part of the application. Refused as `conflict` when the page shows what stands no more.",
  })
  async completeOnboardingForm(
    @Ctx() context: RequestContext,
    @Arg('linkToken', () => String, { description: "The secret part of the link in the merchant's mail." })
    linkToken: string,
    @Arg('input', () => CompleteOnboardingFormInput, {
      description: 'Everything that the call is about, in one object.',
    })
    input: CompleteOnboardingFormInput,
    @Arg('version', () => Int, { description: 'Of the page on which it was decided.' }) version: number,
  ): Promise<SigningPageView> {
    return signingPageView(await completeForm(this.deps, context, { linkToken, version }, input));
  }

  @Allow('pages')
  @Mutation(() => SigningPageType, {
    description:
      'Signs the application in the name of the merchant. Refused as `conflict` when the page shows what stands no more.',
  })
  async signOnboarding(
    @Ctx() context: RequestContext,
    @Arg('linkToken', () => String, { description: "The secret part of the link in the merchant's mail." })
    linkToken: string,
    @Arg('signatoryName', () => String, { description: 'Who signs, by name.' }) signatoryName: string,
    @Arg('version', () => Int, { description: 'Of the page on which it was decided.' }) version: number,
  ): Promise<SigningPageView> {
    return signingPageView(await sign(this.deps, context, { linkToken, version }, signatoryName));
  }

  @Allow('pages')
  @Mutation(() => SigningPageType, { description: 'The fifth failure abandons the application.' })
  async failOnboardingSignature(
    @Ctx() context: RequestContext,
    @Arg('linkToken', () => String, { description: "The secret part of the link in the merchant's mail." })
    linkToken: string,
  ): Promise<SigningPageView> {
    return signingPageView(await failSignature(this.deps, context, linkToken));
  }

  @Allow('pages')
  @Mutation(() => SigningPageType, { description: 'Ends the application because the merchant does not want to go on.' })
  async abandonOnboardingByLink(
    @Ctx() context: RequestContext,
    @Arg('linkToken', () => String, { description: "The secret part of the link in the merchant's mail." })
    linkToken: string,
  ): Promise<SigningPageView> {
    return signingPageView(await abandonByLink(this.deps, context, linkToken));
  }
}
