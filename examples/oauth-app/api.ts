/** All data that the application shows. `balance` is null until the user's wallet has published one. */
export interface User {
  id: string;
  name: string;
  profile: { paymail: string; defaultCurrency: string };
  balance: { amounts: { currency: string; amount: string; satoshis: string }[]; time: string } | null;
  payments: { id: string; amount: string; currency: string; status: string; createdAt: string }[];
}

/** Reads the user's data. Throws an error with the cause `{status}` if the service rejects the request. */
export async function readUser(serviceUrl: string, accessToken: string): Promise<User> {
  const get = async <T>(path: string): Promise<T> => {
    const response = await fetch(`${serviceUrl}${path}`, { headers: { Authorization: `Bearer ${accessToken}` } });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`, { cause: { status: response.status } });
    return (await response.json()) as T;
  };
  type Balances = { balances: { currency: string; amount: string; satoshis: string }[]; published: { time: string } };
  const notYet = (error: Error) => {
    if ((error.cause as { status?: number } | undefined)?.status === 404) return null;
    throw error;
  };
  const [{ user, profile }, balances, { payments }] = await Promise.all([
    get<{ user: { id: string; name: string }; profile: User['profile'] }>('/api/v2/me'),
    get<Balances>('/api/v2/me/balances').catch(notYet),
    get<{ payments: User['payments'] }>('/api/v2/me/payments?limit=10'),
  ]);
  return {
    ...user,
    profile,
    balance: balances && { amounts: balances.balances, time: balances.published.time },
    payments,
  };
}
