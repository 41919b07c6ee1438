// The graph's view of terminals.
import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { graphEnum } from '../../shared/graph/graph-enum';
import { NodeType } from '../../shared/graph/node.type';
import { type MerchantStatus } from '../merchant';
import { MerchantStatuses } from '../merchant.type';
import { methodNames, type TerminalCapture, terminalCaptureTypes } from './terminal';

export const TerminalCaptureTypes = graphEnum(terminalCaptureTypes, {
  name: 'TerminalCaptureType',
  description: "When a terminal's payments are captured, where a request does not say.",
  values: {
    IMPLICIT: 'At once, together with the authorization.',
    EXPLICIT: 'When the merchant asks for it.',
    DEFERRED: 'By itself, after captureDelayHours.',
    FILE: 'When the capture batch runs over all that wait for it.',
  },
});

export const PaymentServices = graphEnum(methodNames, {
  name: 'PaymentService',
  description: 'A way to pay that a terminal offers, as the payment interfaces name it.',
  values: {
    CARDS: 'Payment cards, of the networks that the terminal takes.',
    APPLEPAY: 'A card in Apple Pay.',
    GOOGLEPAY: 'A card in Google Pay.',
    PAYPAL: 'An account at PayPal, charged at once.',
    PAYPAL_BNPL: 'PayPal, paid later.',
    BANCOMATPAY: 'Bancomat Pay, of Italian banks.',
    BANCONTACT: 'Bancontact, of Belgian banks.',
    GIROPAY: 'Giropay, of German banks.',
    IDEAL: 'iDEAL, of Dutch banks.',
    MYBANK: 'MyBank, a transfer of European banks.',
  },
});

@ObjectType('Terminal', {
  implements: NodeType,
  simpleResolvers: true,
  description: 'A point of sale, web shop or app of a merchant.',
})
@Directive('@key(fields: "terminalId")')
export class TerminalType {
  @Field(() => ID, { description: 'Id of the terminal, chosen by whoever made it.' }) terminalId!: string;
  @Field(() => String, { description: 'What people call the terminal.' }) label!: string;
  @Field(() => MerchantStatuses, { description: 'Whether payments may be made through it.' }) status!: MerchantStatus;
  @Field(() => TerminalCaptureTypes, { description: 'What counts when a request says nothing.' })
  captureType!: TerminalCapture;
  @Field(() => Int, { description: 'Hours until a DEFERRED capture.' }) captureDelayHours!: number;
  @Field(() => [String], { description: 'Origins of its pages; the first counts when a request names none.' })
  origins!: string[];
  @Field(() => [String], { description: 'ISO 4217, alphabetic; the first counts when a request names none.' })
  currencies!: string[];
  @Field(() => Date, { description: 'When it was made, UTC.' }) createdAt!: Date;
}

@InputType('CreateTerminalInput', { description: 'A new point of sale of a merchant.' })
export class CreateTerminalInput {
  @Field(() => ID, { description: 'Id of the merchant, as its account chose it.' }) merchantId!: string;
  @Field(() => ID, { description: 'Id for the terminal, chosen by the caller, unique and never changed.' })
  terminalId!: string;
  @Field(() => String, { description: 'What people will call it.' }) label!: string;
  @Field(() => TerminalCaptureTypes, {
    defaultValue: 'EXPLICIT',
    description: 'When its payments are captured, where a request does not say.',
  })
  captureType!: TerminalCapture;
  @Field(() => Int, { nullable: true, description: 'Hours until a DEFERRED capture; absent for other capture types.' })
  captureDelayHours?: number | null;
  @Field(() => [String], { description: 'Such as https://shop.example.' }) origins!: string[];
  @Field(() => [String], {
    defaultValue: ['CARDS'],
    description: 'The ways to pay that it offers, in the words of `PaymentService`.',
  })
  methods!: string[];
  @Field(() => [String], { nullable: true, description: 'EUR, USD, DKK, SEK and NOK when nothing is said.' })
  currencies?: string[] | null;
}
