// A row of figures as the graph shows it: each figure is worked out when its field is selected.
import { Field, Float, Int, ObjectType } from 'type-graphql';
import { moneyOf } from '../../shared/graph/money.type';
import { paymentMethods } from '../../shared/vocabulary/operation';
import { wordOf } from '../../shared/vocabulary/word-of';
import {
  MetricAuthenticationType,
  MetricGroupType,
  MetricOperationsType,
  MetricReasonType,
  MetricVolumeType,
} from './metric.type';
import {
  authenticationOf,
  type DecidedCharges,
  decidedOf,
  declinesOf,
  type MetricRow,
  movedOf,
  operationFigures,
  type Volume,
} from './metric-row';

@ObjectType('MetricRow', { simpleResolvers: true, description: 'The figures of one interval and group.' })
export abstract class MetricRowType {
  @Field(() => Date, { description: 'Where the interval starts, or where the range does, if that is later.' })
  abstract readonly start: Date;
  @Field(() => MetricGroupType, { description: 'What the figures have in common.' })
  abstract readonly group: MetricGroupType;
  @Field(() => [MetricOperationsType], { description: 'All operations, by type and result.' })
  abstract readonly operations: MetricOperationsType[];
  @Field(() => MetricVolumeType, { description: "Payers' money that was taken." })
  abstract readonly captured: MetricVolumeType;
  @Field(() => MetricVolumeType, { description: 'Money that was given back.' })
  abstract readonly refunded: MetricVolumeType;
  @Field(() => MetricVolumeType, { description: 'Captures that were undone on their own day.' })
  abstract readonly undone: MetricVolumeType;
  @Field(() => Int, { description: 'Charges that were approved: authorizations, increments, no-shows.' })
  abstract readonly approved: number;
  @Field(() => Int, { description: 'Charges that were declined or failed; not those that the payer broke off.' })
  abstract readonly declined: number;
  @Field(() => Float, {
    nullable: true,
    description: 'Approved charges among those approved and declined, 0 to 1; null without any.',
  })
  abstract readonly approvalRate: number | null;
  @Field(() => [MetricReasonType], { description: 'Why charges were declined, the most frequent reason first.' })
  abstract readonly declines: MetricReasonType[];
  @Field(() => MetricAuthenticationType, { description: 'How payers proved by 3-D Secure who they are.' })
  abstract readonly authentication: MetricAuthenticationType;
}

/** Not by resolvers: thousands of rows would call one for each of their fields. */
export class ShownRow extends MetricRowType {
  /** Three fields ask. */
  private decided: DecidedCharges | undefined;

  constructor(readonly row: MetricRow) {
    super();
  }

  get start(): Date {
    return this.row.start;
  }

  get group(): MetricGroupType {
    const { MERCHANT, TERMINAL, METHOD, CIRCUIT, CURRENCY, COUNTRY } = this.row.group;
    return {
      merchantId: MERCHANT ?? null,
      merchant: MERCHANT ? { merchantId: MERCHANT } : null,
      terminalId: TERMINAL ?? null,
      method: wordOf(paymentMethods, METHOD),
      circuit: CIRCUIT ?? null,
      currency: CURRENCY ?? null,
      country: COUNTRY ?? null,
    };
  }

  get operations(): MetricOperationsType[] {
    return operationFigures(this.row).map(({ type, result, ...volume }) => ({ type, result, ...volumeShown(volume) }));
  }

  get captured(): MetricVolumeType {
    return volumeShown(movedOf(this.row, 'captured'));
  }

  get refunded(): MetricVolumeType {
    return volumeShown(movedOf(this.row, 'refunded'));
  }

  get undone(): MetricVolumeType {
    return volumeShown(movedOf(this.row, 'undone'));
  }

  get approved(): number {
    return this.charges().approved;
  }

  get declined(): number {
    return this.charges().declined;
  }

  get approvalRate(): number | null {
    return this.charges().approvalRate;
  }

  get declines(): MetricReasonType[] {
    return declinesOf(this.row);
  }

  get authentication(): MetricAuthenticationType {
    return authenticationOf(this.row);
  }

  private charges(): DecidedCharges {
    this.decided ??= decidedOf(this.row);
    return this.decided;
  }
}

export function volumeShown({ count, volume }: Volume): MetricVolumeType {
  return { count, volume: volume.map(({ currency, minor }) => moneyOf(minor, currency)) };
}
