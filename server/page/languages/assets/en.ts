/** The texts of the pages of a user's assets in English. Other languages are next to it. */
import { html, type Html } from '../../html.ts';

export const assets = {
  list: {
    title: 'Your assets',
    description: 'The assets you created on this service.',
    heading: 'Assets',
    lead: 'Tokens of your own, such as points, shares or tickets. You describe them here, and your wallet mints them.',
    create: 'New asset',
    full: (most: number) => `You have ${most} assets, the maximum. Delete one that isn’t minted to create another.`,
    none: 'You have no assets yet.',
    noneText: 'An asset is a token on the BSV blockchain (BSV-21). You choose its name and how much of it there is.',
  },
  states: { pending: 'Not minted', minting: 'Confirming', minted: 'Minted' },

  form: {
    titleNew: 'New asset',
    titleEdit: (name: string) => `Edit ${name}`,
    heading: (name: Html) => html`Edit ${name}`,
    description: 'The asset’s name, description and supply.',
    all: 'All assets',
    lead: 'You can change the name, description and picture later. Everything else stays.',
    name: 'Name',
    nameHint: 'At least 5 characters.',
    about: 'Description',
    avatar: 'Picture',
    avatarHint: 'The address of a picture, starting with https://. This service doesn’t load it.',
    supply: 'Supply',
    supplyHint: 'How much of it there will ever be.',
    decimals: 'Decimals',
    decimalsHint: 'Digits after the decimal point. With 2, the smallest amount is 0.01.',
    url: 'Site',
    urlHint: 'A page about the asset, starting with https://.',
    alias: 'Paymail',
    aliasHint: (domain: string) => `The part before @${domain}. If you leave it empty, we make one up.`,
    save: 'Save changes',
    create: 'Create asset',
  },

  one: {
    description: 'One of your assets.',
    created: (day: Html) => html`Created ${day}`,
    edit: 'Edit',
    delete: 'Delete',
    details: 'Details',
    supply: 'Supply',
    state: 'State',
    picture: 'Picture',
    site: 'Site',
    assetId: 'Asset ID',
    tokenId: 'Token ID',
    mintTitle: 'Mint this asset',
    mintText:
      'Your wallet makes the whole supply in one transaction and keeps it. You pay the network fee. A supply can’t be changed afterwards.',
    mint: 'Mint with wallet',
    noScript: 'Minting needs JavaScript.',
    mintingText: 'The network has accepted the token. It’s minted once it’s in a block.',
  },
  /** Texts of the page's script while the wallet mints. */
  mint: {
    working: 'Check your wallet …',
    noWallet: 'There’s no wallet in this browser, or it’s turned off on this site.',
    outdated: 'Your wallet can’t mint assets yet. Update it, then try again.',
    refused: 'Nothing was minted.',
    waiting: 'Your wallet has signed it and will mint it as soon as it can reach the network.',
    failed: 'That didn’t work. Try again: your wallet won’t mint the same asset twice.',
  },
  delete: {
    title: 'Delete this asset?',
    consequences: [
      'Its paymail becomes available again.',
      'Nothing changes on the blockchain. If your wallet is minting it right now, let it finish instead.',
    ],
    button: 'Delete asset',
  },
};

/** All texts of the pages of a user's assets in one language. */
export type AssetTexts = typeof assets;
