/** Limits concurrent searches. Searches can take seconds, and payment reports need the pool's connections. */
import { ServiceError } from '../../../protocol/errors/service-error.ts';

/** Maximum concurrent searches, and maximum waiting searches per client. */
const [MAX_RUNNING_SEARCHES, MAX_WAITING_PER_CLIENT] = [3, 10];

interface Waiting {
  client: string;
  begin: () => void;
}

/** Clients with a search in progress, at most one each, so no client delays the others. */
const running = new Set<string>();
/** Waiting searches, in order of arrival. */
const waiting: Waiting[] = [];

const nextOf = () =>
  running.size < MAX_RUNNING_SEARCHES ? waiting.findIndex(({ client }) => !running.has(client)) : -1;

function beginNext(): void {
  for (let i = nextOf(); i >= 0; i = nextOf()) {
    const [{ client, begin }] = waiting.splice(i, 1) as [Waiting];
    running.add(client);
    begin();
  }
}

/**
 * Runs a search when its turn comes. Waiting searches use no connection.
 * @throws ServiceError `too-many-requests` if too many of the client's searches are waiting
 */
export async function inTurn<T>(client: string, search: () => Promise<T>): Promise<T> {
  if (waiting.filter((one) => one.client === client).length >= MAX_WAITING_PER_CLIENT)
    throw new ServiceError('too-many-requests');
  await new Promise<void>((begin) => {
    waiting.push({ client, begin });
    beginNext();
  });
  try {
    return await search();
  } finally {
    running.delete(client);
    beginNext();
  }
}
