// A small reference model of the books: what every action must come to, written down from the administration interface and the decision register and not from the code (2.3-C, 2.5, 2.6).

interface Action {
  day: string;
  /** What the merchant gains, fees not counted. */
  gain: number;
  fee: number;
  isPaid: boolean;
}

export interface ModelFees {
  currency: string;
  /** Ten-thousandths of the amount. */
  charge: number;
  refund: number;
  /** Minor units each, in the currency of the quote. */
  chargeFixed: number;
}

export interface ModelPayout {
  date: string;
  amount: number;
  actions: number;
}

/** One merchant in one currency. */
export class ModelBook {
  readonly actions: Action[] = [];
  readonly payouts: ModelPayout[] = [];
  constructor(readonly currency: string) {}

  charge(day: string, amount: number, fees: ModelFees | null): void {
    const fixed = fees?.currency === this.currency ? fees.chargeFixed : 0;
    this.add(day, amount, fees ? halfUp(amount, fees.charge) + fixed : 0);
  }

  refund(day: string, amount: number, fees: ModelFees | null): void {
    this.add(day, -amount, fees ? halfUp(amount, fees.refund) : 0);
  }

  add(day: string, gain: number, fee = 0): void {
    this.actions.push({ day, gain, fee, isPaid: false });
  }

  /** Closes the days up to that one, each in its turn. */
  settle(through: string): void {
    const days = [...new Set(this.open(through).map(({ day }) => day))].sort();
    for (const day of days) {
      const open = this.open(day);
      const amount = open.reduce((sum, { gain, fee }) => sum + gain - fee, 0);
      if (amount <= 0) continue;
      for (const action of open) action.isPaid = true;
      this.payouts.push({ date: day, amount, actions: open.length });
    }
  }

  private open(through: string): Action[] {
    return this.actions.filter(({ day, isPaid }) => !isPaid && day <= through);
  }

  /** What each day closes with. */
  closings(): Map<string, number> {
    const moves = [
      ...this.actions.map(({ day, gain, fee }) => ({ day, net: gain - fee })),
      ...this.payouts.map(({ date, amount }) => ({ day: date, net: -amount })),
    ];
    const days = [...new Set(moves.map(({ day }) => day))].sort();
    return new Map(
      days.map((day) => [day, moves.filter((move) => move.day <= day).reduce((sum, { net }) => sum + net, 0)]),
    );
  }
}

function halfUp(amount: number, tenThousandths: number): number {
  return Math.floor((amount * tenThousandths) / 10_000 + 0.5);
}
