// A masked card as people know it: its last four digits. The whole mask stands in the details.
export function shortCard(masked: string): string {
  const last = /\*(\d{4})$/.exec(masked)?.[1];
  return last ? `•••• ${last}` : masked;
}
