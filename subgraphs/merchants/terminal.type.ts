// The graph's view of terminals.
import { Directive, Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { NodeType } from '../shared/node.type';
import { type MerchantStatus } from './merchant';
import { MerchantStatuses } from './merchant.type';
import { type CaptureType, captureTypes } from './terminal';

export const TerminalCaptureTypes = Object.fromEntries(captureTypes.map((value) => [value, value]));
registerEnumType(TerminalCaptureTypes, { name: 'TerminalCaptureType' });

@ObjectType('Terminal', {
  implements: NodeType,
  simpleResolvers: true,
  description: 'A point of sale, web shop or app of a merchant.',
})
@Directive('@key(fields: "terminalId")')
export class TerminalType {
  @Field(() => ID) terminalId!: string;
  @Field(() => String) label!: string;
  @Field(() => MerchantStatuses) status!: MerchantStatus;
  @Field(() => TerminalCaptureTypes, { description: 'What counts when a request says nothing.' })
  captureType!: CaptureType;
  @Field(() => Int, { description: 'Hours until a DEFERRED capture.' }) captureDelayHours!: number;
  @Field(() => [String], { description: 'Origins of its pages; the first counts when a request names none.' })
  origins!: string[];
  @Field(() => [String], { description: 'Values of paymentService that it offers.' }) methods!: string[];
  @Field(() => [String], { description: 'ISO 4217, alphabetic; the first counts when a request names none.' })
  currencies!: string[];
  @Field(() => Date) createdAt!: Date;
}

@InputType('CreateTerminalInput')
export class CreateTerminalInput {
  @Field(() => ID) merchantId!: string;
  @Field(() => ID) terminalId!: string;
  @Field(() => String) label!: string;
  @Field(() => TerminalCaptureTypes, { defaultValue: 'EXPLICIT' }) captureType!: CaptureType;
  @Field(() => Int, { nullable: true }) captureDelayHours?: number | null;
  @Field(() => [String], { description: 'Such as https://shop.example.' }) origins!: string[];
  @Field(() => [String], { defaultValue: ['CARDS'] }) methods!: string[];
  @Field(() => [String], { nullable: true, description: 'EUR, USD, DKK, SEK and NOK when nothing is said.' })
  currencies?: string[] | null;
}
