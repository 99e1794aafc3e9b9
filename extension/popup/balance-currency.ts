/** Whether the balance leads with BSV or with the user's currency: chosen by a tap on it, and remembered. */

const KEY = 'balance-in';

/** True where BSV leads. */
export const leadsWithBsv = (): boolean => localStorage.getItem(KEY) === 'BSV';

/** Remembers what leads. */
export function leadWithBsv(leads: boolean): void {
  if (leads) localStorage.setItem(KEY, 'BSV');
  else localStorage.removeItem(KEY);
}
