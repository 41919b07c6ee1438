/** Where a row has no value. */
export function None() {
  return <span className="faint">–</span>;
}
