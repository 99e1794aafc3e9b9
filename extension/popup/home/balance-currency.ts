/** Whether the balance leads with BSV or with the user's currency, toggled by a tap on it and remembered. */

const KEY = 'balance-in';

export const leadsWithBsv = (): boolean => localStorage.getItem(KEY) === 'BSV';

export function leadWithBsv(leads: boolean): void {
  if (leads) localStorage.setItem(KEY, 'BSV');
  else localStorage.removeItem(KEY);
}
