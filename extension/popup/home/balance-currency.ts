/** Stores whether the balance is shown in BSV or in the user's currency. A tap on the balance toggles the setting. */

const KEY = 'balance-in';

export const leadsWithBsv = (): boolean => localStorage.getItem(KEY) === 'BSV';

export function leadWithBsv(leads: boolean): void {
  if (leads) localStorage.setItem(KEY, 'BSV');
  else localStorage.removeItem(KEY);
}
