/** Fuzzes the permissions that a site's manifest requests (BRC-73, BRC-116). */
import { readManifest } from '../../wallet/brc100/permissions/manifest.ts';
import { must, mustEqual, target, textOf } from '../target.ts';
import { PUBLIC_KEY } from './testing-seeds.ts';

const groupPermissions = {
  protocolPermissions: [
    { protocolID: [1, 'tests of keys'], description: 'to sign' },
    { protocolID: [2, 'tests of keys'], counterparty: PUBLIC_KEY, description: 'to talk' },
    { protocolID: [2, 'tests of keys'], counterparty: 'self', description: 'to keep' },
  ],
  basketAccess: [{ basket: 'things', description: 'to list' }],
  spendingAuthorization: { amount: 1000, description: 'to pay' },
  certificateAccess: [{ type: 'a' }],
};
const counterpartyPermissions = {
  protocols: [
    { protocolName: 'chat', description: 'a' },
    { protocolID: [2, 'talk'], description: 'b' },
  ],
};

export default target({
  form: 'json',
  seeds: () => [
    JSON.stringify({ name: 'Shop', metanet: { groupPermissions, counterpartyPermissions } }),
    JSON.stringify({ babbage: { groupPermissions } }),
  ],
  read: (input) => readManifest(textOf(input)),
  check: async ({ hash, wanted, monthly, peers }, input) => {
    must(/^[0-9a-f]{64}$/.test(hash) && wanted.length <= 100 && peers.length <= 100, 'the manifest exceeds its limits');
    must(monthly === null || /^[1-9]\d{0,15}$/.test(monthly), 'accepted an invalid amount');
    mustEqual((await readManifest(textOf(input)))?.hash, hash, 'the same text has two hashes');
  },
});
