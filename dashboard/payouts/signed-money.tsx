// Money with its sign, the same wherever books are shown: what left a balance has its minus, and a balance below nothing stands in red besides.
import { printMoney } from '../kit/money';
import style from './payouts.module.css';

interface Props {
  /** Minor units. */
  minor: string;
  currency: string;
  /** A balance says who owes whom; a movement only which way money went. */
  of: 'balance' | 'movement';
}

export function SignedMoney({ minor, currency, of }: Props) {
  const isOwed = of === 'balance' && minor.startsWith('-');
  return <span className={`number ${isOwed ? style.negative : ''}`}>{printMoney(minor, currency)}</span>;
}
