// An address that leads to no screen.
import { Empty } from '../kit/states';
import { words } from '../strings/language';

export function Nowhere() {
  return <Empty title={words().faults.nowhere} />;
}
