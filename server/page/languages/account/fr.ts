/** The texts of an account's pages in French. */
import { plural } from '../../figures.ts';
import { html } from '../../html.ts';
import type { AccountTexts } from './en.ts';

/** See {@link AccountTexts}. */
export const account: AccountTexts = {
  navigation: {
    label: 'Votre compte',
    overview: 'Compte',
    sales: 'Ventes',
    payments: 'Paiements',
    assets: 'Actifs',
    applications: 'Applications',
    connected: 'Applis connectées',
  },
  script: { timesIn: 'Fuseau horaire\u00a0: {zone}.' },

  notices: {
    'profile-saved': 'Profil enregistré.',
    'picture-saved': 'Image enregistrée.',
    'picture-removed': 'Image supprimée.',
    'application-created': 'Application créée.',
    'shop-created': 'Votre boutique est prête. Copiez maintenant le code de son bouton.',
    'application-saved': 'Modifications enregistrées.',
    'logo-saved': 'Logo enregistré.',
    'logo-removed': 'Logo supprimé.',
    'client-secret-changed': 'Nouveau secret client créé. L’ancien ne fonctionne plus.',
    'webhook-secret-changed': 'Nouveau secret de webhook créé. Les événements sont désormais signés avec lui.',
    'webhook-secret-ended': 'L’ancien secret de webhook a expiré. Les événements ne sont signés qu’avec le nouveau.',
    'test-event-sent': 'Événement de test envoyé. Le résultat s’affiche ci-dessous.',
    'application-deleted': 'Application supprimée.',
    'connection-revoked': 'Accès supprimé.',
    'event-resent': 'L’événement est renvoyé.',
    'asset-created': 'Actif créé. Émettez-le maintenant.',
    'asset-saved': 'Modifications enregistrées.',
    'asset-deleted': 'Actif supprimé.',
  },
  form: {
    notSaved: (title) => `Non enregistré\u00a0: ${title}`,
    nothingSaved: 'Rien n’a encore été enregistré',
    check: (field) => html`À vérifier\u00a0: ${field}`,
    optional: '(facultatif)',
    cancel: 'Annuler',
  },
  problems: {
    'The request is malformed.': 'Une donnée n’est pas valide ou est trop longue.',
    'The name contains characters that can’t be displayed.':
      'Le nom contient des caractères qui ne peuvent pas être affichés.',
    'The text about you contains characters that can’t be displayed.':
      'Le texte de présentation contient des caractères qui ne peuvent pas être affichés.',
    'The picture must be an https address.': 'L’adresse de l’image doit commencer par https://.',
    'The language must be one of the listed ones.': 'Cette langue n’est pas connue.',
    'This currency isn’t supported.': 'Cette monnaie n’est pas prise en charge.',
    'The name must be at least 5 characters.': 'Le nom doit avoir au moins 5 caractères.',
    'The name must contain visible characters.': 'Le nom doit être visible.',
    'The name must be at most 100 characters.': 'Le nom doit avoir au plus 100 caractères.',
    'The description must be at most 1000 characters.': 'La description doit avoir au plus 1000 caractères.',
    'The picture must be at most 500 characters.': 'L’image doit avoir au plus 500 caractères.',
    'The picture must begin with https:// and can’t contain #, a user or a password.':
      'L’image doit commencer par https://, sans #, utilisateur ni mot de passe.',
    'The site must begin with https:// and can’t contain #, a user or a password.':
      'Le site doit commencer par https://, sans #, utilisateur ni mot de passe.',
    'The supply must be a whole number from 1 to 18446744073709551615, in the smallest units.':
      'La quantité doit être comprise entre 1 et 18446744073709551615 des plus petites unités.',
    'The alias must be at most 30 characters.': 'Le paymail doit avoir au plus 30 caractères.',
    'The alias must be 3 to 30 lowercase letters and digits, with at least one letter. Dots and hyphens are allowed between them.':
      'Un paymail a de 3 à 30 caractères\u00a0: des minuscules et des chiffres, dont au moins une lettre. Points et traits d’union sont permis au milieu.',
    'This alias, or one that looks like it, is already taken.':
      'Ce paymail, ou un paymail qui lui ressemble, est déjà pris.',
    'The name can’t be empty.': 'Une application doit avoir un nom.',
    'The name must be at most 60 characters.': 'Le nom peut avoir 60 caractères au plus.',
    'The site must be at most 500 characters.': 'L’adresse du site peut avoir 500 caractères au plus.',
    'The site must begin with https:// (or http:// on this machine) and can’t contain #, a user or a password.':
      'L’adresse du site doit commencer par https:// (ou http:// sur cette machine) et ne contenir ni #, ni utilisateur, ni mot de passe.',
    'The description must be at most 500 characters.': 'La description peut avoir 500 caractères au plus.',
    'The description contains characters that can’t be displayed.':
      'La description contient des caractères qui ne peuvent pas être affichés.',
    'The redirect URL must be at most 500 characters.': 'L’URL de redirection peut avoir 500 caractères au plus.',
    'The redirect URL must begin with https:// (or http:// on this machine) and can’t contain #, a user or a password.':
      'L’URL de redirection doit commencer par https:// (ou http:// sur cette machine) et ne contenir ni #, ni utilisateur, ni mot de passe.',
    'The redirect URL can’t contain the parameters code, state, iss or error. The response adds them.':
      'L’URL de redirection ne peut pas avoir de paramètre nommé code, state, iss ou error\u00a0: la réponse les apporte.',
    'The webhook URL must be at most 500 characters.': 'L’URL du webhook peut avoir 500 caractères au plus.',
    'The webhook URL must begin with https:// (or http:// on this machine) and can’t contain #, a user or a password.':
      'L’URL du webhook doit commencer par https:// (ou http:// sur cette machine) et ne contenir ni #, ni utilisateur, ni mot de passe.',
    'The webhook URL must begin with https://.': 'L’URL du webhook doit commencer par https://.',
    'The webhook URL must be reachable from the internet. This service sends nothing to its own machine or to private networks.':
      'L’URL du webhook doit être joignable depuis internet\u00a0: ce service n’envoie rien à sa propre machine ni dans des réseaux privés.',
    'The webhook body secret must be at most 200 characters.':
      'Le secret dans le corps des webhooks peut avoir 200 caractères au plus.',
    'The webhook body secret can’t be empty.': 'Le secret dans le corps des webhooks ne peut pas être vide.',
    'The webhook body secret contains characters that can’t be displayed.':
      'Le secret dans le corps des webhooks contient des caractères qui ne peuvent pas être affichés.',
    'Choose a picture first.': 'Choisissez d’abord une image.',
    'The picture must be at most 200 kB.': 'L’image peut peser 200 ko au plus.',
    'The picture must be a PNG or JPEG file.': 'L’image doit être un fichier PNG ou JPEG.',
    'The picture must be 16 to 1024 pixels wide and high.':
      'L’image doit mesurer de 16 à 1024 pixels en largeur et en hauteur.',
  },

  overview: {
    title: 'Votre compte',
    description: 'Votre compte et votre profil.',
    signedIn: 'Vous êtes connecté.',
    signedInAs: (name) => html`${name}, vous êtes connecté.`,
    getPaid: 'Comment on vous paie',
    userId: 'Identifiant',
    memberSince: 'Membre depuis',
    custody:
      'Votre argent est dans votre portefeuille, pas ici\u00a0: ce service n’a pas vos clés et ne peut pas le dépenser.',
    profile: 'Profil',
    profileText:
      'Toute personne qui connaît votre paymail peut voir votre nom et votre image. Les applications ne voient le reste que si vous l’autorisez.',
    name: 'Nom',
    bio: 'À propos de vous',
    currency: 'Monnaie',
    language: 'Langue',
    save: 'Enregistrer le profil',
    signOut: 'Se déconnecter',
    signOutText:
      'Met fin à votre session sur ce site dans ce navigateur. Votre portefeuille et les applications connectées restent tels quels.',
  },

  picture: {
    title: 'Image',
    description: 'Votre propre image.',
    lead: 'Toute personne qui connaît votre paymail peut la voir, et les portefeuilles la montrent à ceux que vous payez ou qui vous paient.',
    save: 'Enregistrer l’image',
    remove: 'Supprimer l’image',
    alt: 'Votre image',
    elsewhere: (address) => `Votre image se trouve à ${address}`,
    none: 'Les personnes que vous payez voient vos initiales.',
    add: 'Ajouter une image',
    change: 'Changer l’image',
  },
  upload: {
    picture: 'Image',
    hint: (kilobytes, pixels) => `PNG ou JPEG, carrée, ${kilobytes} ko et ${pixels} pixels de côté au plus.`,
  },

  statuses: {
    PENDING: { name: 'En attente', text: 'Il n’est pas encore signé.' },
    RECEIVED: { name: 'En route', text: 'Le réseau l’a reçu. Il n’est pas encore dans un bloc.' },
    COMPLETED: { name: 'Confirmé', text: 'Il est dans un bloc et ne peut plus être annulé.' },
    FAILED: { name: 'Échoué', text: 'Le réseau l’a refusé.' },
  },
  contested: {
    names: { contested: 'Contesté', unknown: 'Inconnu du réseau' },
    text: 'Le réseau ne le confirme plus. Attendez un bloc avant de livrer.',
  },
  descriptions: {
    'The network rejected the transaction.': 'Le réseau a refusé la transaction.',
    'Another transaction spent the same coins.': 'Une autre transaction a dépensé les mêmes fonds.',
    'The network has not accepted the transaction for three days.':
      'Le réseau n’a pas accepté la transaction pendant trois jours.',
  },
  refund: 'Remboursement',
  refunded: 'Remboursé',
  partlyRefunded: 'Remboursé en partie',
  satoshis: plural('fr', { one: '# satoshi', many: '# de satoshis', other: '# satoshis' }),
  claims: (amount) => `Selon l’expéditeur, ${amount}`,

  payments: {
    title: 'Paiements',
    description: 'Les paiements envoyés et reçus, avec leur statut.',
    lead: 'Ce que vous avez payé avec votre portefeuille et reçu à votre paymail, le plus récent d’abord.',
    timesInUtc: 'Fuseau horaire\u00a0: UTC.',
    status: 'Statut',
    all: 'Tous',
    to: 'À',
    from: (sender) => html`De ${sender}`,
    andMore: plural('fr', { one: 'et # autre', other: 'et # autres' }),
    unknownSender: 'un expéditeur inconnu',
    user: (id) => `Utilisateur ${id}`,
    notVerified: 'expéditeur non vérifié',
    more: 'Plus de paiements',
    newest: 'Plus récents',
    older: 'Plus anciens',
    noMore: 'Plus aucun paiement.',
    none: 'Aucun paiement pour l’instant',
    noneText:
      'Les paiements faits avec votre portefeuille ou reçus à votre paymail s’affichent ici dès que le réseau les a.',
    tryShop: 'Essayer la boutique',
    noneWithStatus: (status) => `Vous n’avez aucun paiement au statut «\u00a0${status}\u00a0».`,
    showAll: 'Afficher tous les paiements',
  },

  payment: {
    title: (amount) => `Paiement de ${amount}`,
    description: 'Un paiement, avec ses destinataires et son statut.',
    heading: 'Paiement de',
    all: 'Tous les paiements',
    details: 'Détails',
    deviates: (amount) => `L’expéditeur annonce ${amount}, ce qui n’est pas ce qui a été payé.`,
    deviatesBelow: 'Ce que l’expéditeur annonce plus bas pour un destinataire n’est pas ce qui a été payé.',
    tokenUnits: (units) => `Plus petites unités : ${units}, du jeton`,
    tokenValidity: {
      unverified: {
        name: 'Vérification du jeton',
        text: 'Ce service vérifie encore si l’expéditeur possédait vraiment le jeton : ne livrez rien pour l’instant.',
      },
      valid: {
        name: 'Jeton vérifié',
        text: 'Ce service a suivi le jeton jusqu’à sa création : l’expéditeur le possédait, et le destinataire le possède maintenant.',
      },
      invalid: {
        name: 'Jeton sans valeur',
        text: 'L’expéditeur ne possédait pas autant de ce jeton : le destinataire n’en possède rien. Ne livrez rien.',
      },
      unknown: {
        name: 'Jeton non vérifié',
        text: 'Ce service ne peut pas établir si l’expéditeur possédait vraiment le jeton : consultez un index de jetons avant de livrer quoi que ce soit.',
      },
    },
    relyOnSatoshis: 'Fiez-vous aux satoshis\u00a0: c’est ce que la transaction a déplacé.',
    time: 'Date',
    claimed: 'Selon l’expéditeur',
    from: 'De',
    you: 'Vous',
    note: 'Note',
    site: 'Site',
    application: 'Application',
    label: 'Libellé',
    refundOf: 'Remboursement de',
    payerNote: 'Note du payeur',
    refunded: 'Remboursé',
    buttonId: 'ID du bouton',
    networkFee: 'Frais de réseau',
    total: 'Total',
    id: 'ID du paiement',
    transaction: 'Transaction',
    buttonData: 'Données du bouton',
    cut: plural('fr', { one: '… (# caractère)', other: '… (# caractères)' }),
    recipients: plural('fr', { one: 'Destinataire', other: '# destinataires' }),
    kinds: { ADDRESS: 'Adresse', SCRIPT: 'Script', PAYMAIL: 'Paymail', USER: 'Identifiant' },
    refunds: 'Remboursements',
    refund: 'Rembourser…',
  },

  refunding: {
    title: 'Rembourser un paiement',
    description: 'Rendre un paiement, en tout ou en partie.',
    payment: 'Paiement',
    heading: 'Remboursement',
    allRefunded: 'Ce paiement a été entièrement remboursé.',
    left: (amount) => html`Reste à rembourser\u00a0: ${amount}`,
    howMuch: 'Combien',
    everything: 'Tout ce qui reste',
    part: 'Une partie',
    amount: 'Montant',
    tooMuch: 'C’est plus que ce qui reste du paiement.',
    noAmount: 'Saisissez un montant, par exemple 1,50.',
    whichAmount: 'Quel montant voulez-vous dire ?',
    currency: 'Monnaie',
    atRate: (currency) => `${currency}, au cours de la vente`,
    update: 'Mettre à jour le montant',
    pay: 'Rembourser',
    toAddress: (amount, address) => html`${amount} à l’adresse qui a payé\u00a0: ${address}`,
    noScript: 'Le bouton nécessite JavaScript.',
    fromWallet:
      'Payez avec le portefeuille de ce compte\u00a0: le remboursement est alors noté avec le paiement, et votre webhook en est informé.',
  },

  connected: {
    title: 'Applis connectées',
    description: 'Les applications qui ont accès à votre compte.',
    lead: 'Les applications qui ont accès à votre compte. Si vous supprimez l’accès, il prend fin aussitôt.',
    none: 'Aucune application n’a accès à votre compte.',
    noneText: 'Quand vous vous connectez à un site avec ce service, il s’affiche ici.',
    since: (day) => html`Connectée depuis le ${day}. Elle peut\u00a0:`,
    grantedSince: (day) => html`depuis le ${day}`,
    never: 'Elle ne peut jamais dépenser votre argent ni voir vos clés.',
    remove: 'Supprimer l’accès',
  },
};
