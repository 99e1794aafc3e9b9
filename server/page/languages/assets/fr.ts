/** The texts of the pages of a user's assets in French. */
import { html } from '../../html.ts';
import type { AssetTexts } from './en.ts';

/** See {@link AssetTexts}. */
export const assets: AssetTexts = {
  list: {
    title: 'Vos actifs',
    description: 'Les actifs que vous avez créés sur ce service.',
    heading: 'Actifs',
    lead: 'Des jetons à vous, comme des points, des parts ou des billets. Vous les décrivez ici, votre portefeuille les émet.',
    create: 'Nouvel actif',
    full: (most) => `Vous avez ${most} actifs, le maximum. Supprimez-en un qui n’est pas émis pour en créer un autre.`,
    none: 'Vous n’avez pas encore d’actifs.',
    noneText:
      'Un actif est un jeton sur la blockchain BSV (BSV-21). Vous choisissez son nom et la quantité qu’il y en aura.',
  },
  states: { pending: 'Non émis', minting: 'En confirmation', minted: 'Émis' },

  form: {
    titleNew: 'Nouvel actif',
    titleEdit: (name) => `Modifier ${name}`,
    heading: (name) => html`Modifier ${name}`,
    description: 'Le nom, la description et la quantité de l’actif.',
    all: 'Tous les actifs',
    lead: 'Vous pourrez changer le nom, la description et l’image. Le reste ne change plus.',
    name: 'Nom',
    nameHint: 'Au moins 5 caractères.',
    about: 'Description',
    avatar: 'Image',
    avatarHint: 'L’adresse d’une image, commençant par https://. Ce service ne la charge pas.',
    supply: 'Quantité',
    supplyHint: 'Tout ce qu’il y en aura jamais.',
    decimals: 'Décimales',
    decimalsHint: 'Chiffres après la virgule. Avec 2, la plus petite quantité est 0,01.',
    url: 'Site',
    urlHint: 'Une page sur l’actif, commençant par https://.',
    alias: 'Paymail',
    aliasHint: (domain) => `La partie avant @${domain}. Si vous la laissez vide, nous en inventons une.`,
    save: 'Enregistrer',
    create: 'Créer l’actif',
  },

  one: {
    description: 'Un de vos actifs.',
    created: (day) => html`Créé le ${day}`,
    edit: 'Modifier',
    delete: 'Supprimer',
    details: 'Détails',
    supply: 'Quantité',
    state: 'État',
    picture: 'Image',
    site: 'Site',
    assetId: 'ID de l’actif',
    tokenId: 'ID du jeton',
    mintTitle: 'Émettre cet actif',
    mintText:
      'Votre portefeuille crée toute la quantité en une transaction et la garde. Vous payez les frais de réseau. Ensuite, la quantité ne peut plus changer.',
    mint: 'Émettre avec le portefeuille',
    noScript: 'Il faut JavaScript pour émettre.',
    mintingText: 'Le réseau a accepté le jeton. Il sera émis dès qu’il sera dans un bloc.',
  },
  mint: {
    working: 'Regardez votre portefeuille…',
    noWallet: 'Il n’y a pas de portefeuille dans ce navigateur, ou il est désactivé sur ce site.',
    outdated: 'Votre portefeuille ne peut pas encore émettre d’actifs. Mettez-le à jour, puis réessayez.',
    refused: 'Rien n’a été émis.',
    waiting: 'Votre portefeuille l’a signé et l’émettra dès qu’il pourra joindre le réseau.',
    failed: 'Cela n’a pas marché. Réessayez\u00a0: votre portefeuille n’émet pas deux fois le même actif.',
  },
  delete: {
    title: 'Supprimer cet actif\u00a0?',
    consequences: [
      'Son paymail redevient libre.',
      'Rien ne change sur la blockchain. Si votre portefeuille est en train de l’émettre, laissez-le plutôt finir.',
    ],
    button: 'Supprimer l’actif',
  },
};
