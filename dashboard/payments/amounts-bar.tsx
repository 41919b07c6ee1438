// Where a payment's money stands: how much of what was authorized is captured, and how much of that went back.
import { printMoney } from '../kit/money';
import { words } from '../strings/language';
import style from './payments.module.css';
import type { PaymentRowFragment } from './queries';

export function AmountsBar({ payment }: { payment: PaymentRowFragment }) {
  const { authorizedAmount, capturedAmount, refundedAmount, currency } = payment;
  const text = words().payments;
  const whole = Math.max(Number(authorizedAmount), Number(capturedAmount));
  if (whole === 0) return null;
  const kept = Number(capturedAmount) - Number(refundedAmount);
  const parts = [
    ['captured', kept],
    ['refunded', Number(refundedAmount)],
    ['authorized', whole - Number(capturedAmount)],
  ] as const;
  return (
    <div className={style.amounts}>
      <div className={style.track} aria-hidden>
        {parts.map(([part, minor]) =>
          minor > 0 ? <span key={part} data-part={part} style={{ flexGrow: minor / whole }} /> : null,
        )}
      </div>
      <dl className={style.legend}>
        <Part part="authorized" name={text.authorized} value={printMoney(authorizedAmount, currency)} />
        <Part part="captured" name={text.captured} value={printMoney(capturedAmount, currency)} />
        <Part part="refunded" name={text.refunded} value={printMoney(refundedAmount, currency)} />
      </dl>
    </div>
  );
}

function Part({ part, name, value }: { part: string; name: string; value: string }) {
  return (
    <div className={style.part} data-part={part}>
      <dt>{name}</dt>
      <dd className="number">{value}</dd>
    </div>
  );
}
