/** For tests: one owner's applications that receive webhooks. */
import { createApplication } from '../applications/store.ts';
import type { Database } from '../database/connect.ts';
import { users } from '../database/schema.ts';
import { createTestWallet } from '../testing.ts';

export async function createTestReceivers(db: Database, number: number) {
  const { publicKey, receivingXpub } = createTestWallet();
  const createdAt = new Date();
  const [owner] = await db
    .insert(users)
    .values({ handle: 'keeper', name: '', publicKey, receivingXpub, createdAt })
    .returning();
  const made = [];
  for (let i = 0; i < number; i += 1) {
    const { application } = await createApplication(
      db,
      owner!.id,
      {
        name: `Shop ${i} of many`,
        url: 'https://shop.example',
        description: '',
        redirectUri: null,
        webhookUrl: 'https://shop.example/hook',
        requirePkce: false,
        requireSecret: false,
      },
      createdAt,
    );
    made.push(application);
  }
  return made;
}
