/** Example data for the API reference: a user, a shop, and the user's payment to the shop. */
import type { OwnApplication } from '../../../protocol/http/applications.ts';
import { metadataOf } from '../../../protocol/payments/metadata.ts';
import type { StoredAsset } from '../../assets/store.ts';
import { assetView } from '../../assets/view.ts';
import { profileAttributes, profileOf } from '../../identity/profile.ts';
import type { User } from '../../identity/accounts.ts';
import type { StoredPayment } from '../../payments/stored-payment.ts';
import { paymentView } from '../../payments/view.ts';
import { assetResource } from '../assets/asset-resource.ts';
import { paymentResources } from '../payments/payment-resource.ts';

const DATE = new Date('2026-03-01T12:00:00.000Z');
export const TIME = DATE.toISOString();
export const PUBLIC_KEY = `02${'4f'.repeat(32)}`;
export const SIGNATURE = `${'H'.repeat(87)}=`;
export const TXID = '7c'.repeat(32);
export const RAWTX = `0100000001${'00'.repeat(20)}`;
export const SCRIPT = `76a914${'a1'.repeat(20)}88ac`;
export const NONCE = 'mJ9cVq2yV1s0b8J3n4kP5w';
export const TOKEN = '2YotnFZFEjr1zCsicMWpAA';
export const XPUB = `xpub${'6'.repeat(107)}`;
export const ID = '5b0f8f52-6c1e-4f7e-9d55-0a2f6f1c9a10';

const user: User = {
  id: 17,
  handle: 'alice',
  name: 'Alice',
  publicKey: PUBLIC_KEY,
  bio: 'Writes about gardens.',
  avatarUrl: null,
  picture: null,
  defaultCurrency: 'EUR',
  defaultLanguage: 'en',
  createdAt: DATE,
};
const ADDRESSES = { baseUrl: 'https://pay.example', paymailDomain: 'pay.example' };
export const PROFILE = profileOf(user, ADDRESSES);
export const ATTRIBUTES = profileAttributes(user, ADDRESSES);

const asset: StoredAsset = {
  id: ID,
  ownerId: 17,
  name: 'Garden hours',
  description: 'One hour of work in the garden.',
  avatar: null,
  url: 'https://garden.example',
  supply: 1_000_000n,
  decimals: 2,
  paymailAlias: 'garden',
  aliasSkeleton: null,
  state: 'minted',
  tokenId: `${TXID}_0`,
  createdAt: DATE,
  updatedAt: DATE,
  nextCheckAt: null,
  checks: 0,
  unseenSince: null,
};

const recipient = {
  type: 'PAYMAIL',
  to: 'alice@pay.example',
  paymail: 'alice@pay.example',
  userId: null,
  address: null,
  script: null,
  amount: '2.50',
  currency: 'USD',
} as const;
const scripts = [{ script: SCRIPT, satoshis: '5000000' }];
export const REPORTED_OUTPUT = { ...recipient, satoshis: '5000000', scripts, reference: NONCE };

const stored = {
  payment: {
    id: ID,
    userId: null,
    senderPaymail: 'bob@pay.example',
    txid: TXID,
    normalizedTxid: TXID,
    rawtx: Buffer.from(RAWTX, 'hex'),
    amount: '2.50',
    currency: 'USD',
    satoshis: 5_000_000n,
    inputSatoshis: 9_000_000n,
    outputSatoshis: 8_999_950n,
    usdRate: '50',
    currencyRate: '50',
    clientIdentifier: 'client-of-the-shop',
    ...metadataOf({ buttonId: 'invoice-17' }),
    refundSatoshis: null,
    refundedSatoshis: 0n,
    cryptoOperations: [],
    status: 'RECEIVED',
    statusDescription: null,
    network: 'seen',
    createdAt: DATE,
  },
  outputs: [
    {
      ...recipient,
      paymentId: ID,
      position: 0,
      satoshis: 5_000_000n,
      scripts,
      reference: null,
      recipientId: 17,
      paymentCreatedAt: null,
    },
  ],
} as unknown as StoredPayment;
export const PAYMENT_RESPONSE = paymentView(stored);
export const PAYMENT = PAYMENT_RESPONSE.payment;
export const PAYMENT_RESOURCES = paymentResources(stored);

export const APPLICATION: OwnApplication = {
  id: ID,
  name: 'Garden shop',
  url: 'https://shop.example',
  description: '',
  clientIdentifier: 'client-of-the-shop',
  oauthIdentifier: 'oauth-of-the-shop',
  redirectUri: 'https://shop.example/callback',
  webhookUrl: 'https://shop.example/webhook',
  webhookBody: 'signed',
  previousWebhookSecretExpiresAt: null,
  requirePkce: true,
  requireSecret: true,
  createdAt: TIME,
  updatedAt: TIME,
};

export const ASSET = assetView(asset, ADDRESSES.paymailDomain);
export const ASSET_RESOURCE = assetResource(asset, ADDRESSES.paymailDomain);
