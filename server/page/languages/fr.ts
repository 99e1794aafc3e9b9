/** The texts of the public pages in French. */
import { PRODUCT_NAME } from '../../../protocol/product.ts';
import { html } from '../html.ts';
import { account } from './account/fr.ts';
import { applications } from './applications/fr.ts';
import { assets } from './assets/fr.ts';
import type { SiteTexts } from './en.ts';
import { gallery } from './gallery/fr.ts';
import { reference } from './reference/fr.ts';
import { shop } from './shop/fr.ts';

/** See {@link SiteTexts}. */
export const texts: SiteTexts = {
  frame: {
    skip: 'Aller au contenu',
    pages: 'Pages',
    gallery: 'Galerie',
    docs: 'Docs',
    shop: 'Boutique de démo',
    signedInAs: 'Connecté en tant que',
    signIn: 'Se connecter',
    toDark: 'Thème sombre',
    toLight: 'Thème clair',
    networks: {
      devnet: 'Devnet\u00a0: argent fictif sur cette machine',
      testnet: 'Testnet\u00a0: fonds sans valeur',
      mainnet: 'Mainnet',
    },
    copying: {
      copy: 'Copier',
      copyWhat: 'Copier\u00a0: {what}',
      copied: 'Copié',
      notCopied: 'Non copié',
      copyYourself: 'Copie impossible. Sélectionnez le texte à la place.',
    },
  },

  docs: {
    title: 'Documentation',
    description: 'Comment utiliser le bouton, le portefeuille et le service, et comment ils fonctionnent.',
    inEnglish: 'La documentation est en anglais.',
    contentsLabel: 'Sommaire de la documentation',
    searchLabel: 'Rechercher dans la documentation',
    noneFound: 'Rien trouvé. Essayez un autre mot, un attribut ou un code d’erreur.',
  },

  landing: {
    title: 'Payez d’un seul geste',
    description: 'Un bouton de paiement pour les pages web et un portefeuille dans le navigateur qui garde vos clés.',
    lead: 'Un bouton pour toute page web et un portefeuille dans votre navigateur pour payer. Dix centimes ou dix dollars, payés à l’instant, avec des fonds que vous seul contrôlez.',
    shop: 'Essayer la boutique',
    gallery: 'Voir tous les boutons',
    tryLabel: 'Lire cet article',
    tryText: 'Un vrai bouton à essayer. Glissez : celui-ci ne paie rien et ne demande aucun portefeuille.',
    how: 'Comment ça marche',
    asks: 'Une page demande',
    asksText:
      'Le bouton indique pour quoi et combien. Une page ne peut ni voir votre portefeuille ni payer à votre place.',
    decide: 'Vous décidez',
    decideText:
      'Vous glissez, et votre portefeuille montre qui demande, qui est payé et combien, frais de réseau compris.',
    paid: 'C’est payé',
    paidText: 'Votre portefeuille signe et envoie le paiement. Vos clés ne quittent jamais votre navigateur.',
    embed: 'Sur votre page',
    embedText: (link) =>
      html`Un script, et un élément par bouton. La ${link('galerie')} montre toutes les tailles, tous les états et toutes les langues, avec le code.`,
    example: 'Exemple de page avec un bouton',
    custody: `${PRODUCT_NAME} ne détient jamais votre argent ni celui de vos clients\u00a0: les paiements vont directement d’un portefeuille à l’autre.`,
  },

  wallet: {
    title: 'Obtenir le portefeuille',
    lead: 'Quelques clics suffisent, puis le portefeuille vous guide. Notez vos mots de récupération\u00a0: sans eux, personne ne peut récupérer votre argent.',
    otherBrowser: 'Un autre navigateur',
    chromium: 'Chrome, Edge, Brave ou Opera',
    download: 'Télécharger le portefeuille',
    downloadForFirefox: 'Télécharger le portefeuille pour Firefox',
    version: (version) => `Version ${version}`,
    unzip:
      'Décompressez le fichier dans un dossier que vous garderez\u00a0: le navigateur y charge le portefeuille à chaque démarrage.',
    developerMode: (address) =>
      html`Ouvrez ${address} et activez le «\u00a0Mode développeur\u00a0» («\u00a0Developer mode\u00a0»).`,
    developerModeOfEdge: (address) =>
      html`Ouvrez ${address} et activez le «\u00a0Mode développeur\u00a0» («\u00a0Developer mode\u00a0») dans la colonne de gauche.`,
    loadUnpacked: 'Choisissez «\u00a0Charger l’extension non empaquetée\u00a0» («\u00a0Load unpacked\u00a0»).',
    selectFolder: 'Sélectionnez le dossier décompressé.',
    update:
      'Pour mettre à jour, décompressez un téléchargement plus récent dans le même dossier et cliquez sur l’icône d’actualisation du portefeuille sur cette page. Votre portefeuille reste tel quel.',
    keepZip: 'Ne décompressez pas le fichier\u00a0: Firefox le charge tel quel.',
    loadTemporary: (address) =>
      html`Ouvrez ${address} et choisissez «\u00a0Charger un module complémentaire temporaire…\u00a0» («\u00a0Load Temporary Add-on…\u00a0»).`,
    selectFile: 'Sélectionnez le fichier téléchargé.',
    unsigned:
      'Ce portefeuille n’est pas signé par Mozilla\u00a0: Firefox le supprime, avec tout son contenu, à la fermeture du navigateur. Seuls vos mots de récupération permettent de le restaurer.',
    addTo: (browser) => `Ajouter à ${browser}`,
    from: (host) => `depuis ${host}`,
    edgeStores: 'Edge peut demander s’il faut autoriser les extensions d’autres boutiques\u00a0: acceptez.',
    upToDate: 'Votre navigateur le tient à jour.',
    withoutStore: 'Sans la boutique',
    onComputers: 'Le portefeuille fonctionne sur ordinateur',
    onComputersText: (address) =>
      html`C’est une extension pour Chrome, Edge, Brave et Firefox sur ordinateur. Les navigateurs de téléphone ne la prennent pas en charge. Ouvrez ${address} sur votre ordinateur pour l’obtenir.`,
    fromPhone: 'Payer depuis ce téléphone',
    fromPhoneText:
      'Vous pouvez aussi payer avec un autre portefeuille BSV sur votre téléphone. Revenez à la page à payer et touchez le code QR à côté de «\u00a0Obtenir le portefeuille\u00a0». Il ouvre le paiement dans ce portefeuille, ou un autre téléphone peut le scanner. Seuls les boutons qui paient une seule adresse ont un code QR.',
    tryShop: 'Essayez dans la boutique',
    howOnComputer: 'Comment l’installer sur un ordinateur',
    safari:
      'Le portefeuille n’est pas disponible pour Safari. Ouvrez cette page dans Chrome, Edge, Brave ou Firefox pour l’obtenir.',
  },

  signIn: {
    title: 'Se connecter',
    titleRegister: 'Créez votre compte',
    description: 'Connectez-vous avec le portefeuille de votre navigateur. Sans mot de passe.',
    lead: 'Votre portefeuille vous connecte. Ni mot de passe ni e-mail.',
    leadRegister: 'Il suffit d’un nom d’utilisateur. Ni mot de passe ni e-mail.',
    leadFor: (application) =>
      html`Votre portefeuille vous connecte. Nous vous demanderons ensuite si ${application} peut accéder à ce qu’il demande.`,
    leadRegisterFor: (application) =>
      html`Il suffit d’un nom d’utilisateur. Nous vous demanderons ensuite si ${application} peut accéder à ce qu’il demande.`,
    noScript: 'La connexion nécessite JavaScript\u00a0: cette page s’en sert pour parler à votre portefeuille.',
    looking: 'Recherche de votre portefeuille…',
    noWallet: 'Aucun portefeuille trouvé dans ce navigateur',
    noWalletText:
      'Votre compte appartient à un portefeuille\u00a0: une petite extension du navigateur qui garde vos clés et signe pour vous. Personne d’autre n’a vos clés, et nous n’avons aucun mot de passe à perdre.',
    newTab: '(s’ouvre dans un nouvel onglet)',
    stay: 'Laissez cette page ouverte. Elle continue d’elle-même une fois le portefeuille installé.',
    window: 'Votre portefeuille ouvrira une fenêtre avec l’adresse de ce site et ce que vous signez.',
    withWallet: 'Se connecter avec votre portefeuille',
    handle: 'Nom d’utilisateur',
    handleHint: '3 à 30 lettres, chiffres, points ou tirets.',
    name: 'Votre nom (facultatif)',
    nameHint: 'Les personnes qui vous paient peuvent le voir.',
    createWithWallet: 'Créer un compte avec votre portefeuille',
    haveAccount: 'Déjà un compte\u00a0?',
    signIn: 'Se connecter',
    noAccount: 'Pas encore de compte\u00a0?',
    createOne: 'Créez-en un',
    script: {
      checkWallet: 'Voyez votre portefeuille…',
      moment: 'Un instant…',
      decide: 'Votre portefeuille a ouvert une fenêtre. Lisez-la, puis décidez.',
      done: 'Vous êtes connecté. Retour en cours…',
      badHandle:
        'Utilisez 3 à 30 lettres minuscules et chiffres, dont au moins une lettre. Les points et les tirets sont permis entre eux.',
      checking: 'Vérification…',
      unsure: 'Impossible de vérifier les noms d’utilisateur pour le moment. Vous le saurez en créant le compte.',
      taken: 'Ce nom d’utilisateur, ou un nom qui lui ressemble, est déjà pris.',
      free: '{handle} est disponible.',
      paymail: 'Votre paymail sera {paymail}',
      failed: 'Cela n’a pas fonctionné',
      again: 'Appuyez sur le bouton pour réessayer.',
      problems: {
        'sign-in-refused': [
          'Vous avez refusé dans votre portefeuille',
          'Rien n’a été signé. Appuyez sur le bouton pour réessayer.',
        ],
        'page-gone': [
          'La fenêtre de votre portefeuille a été fermée',
          'Rien n’a été signé. Appuyez sur le bouton pour réessayer.',
        ],
        'wallet-not-set-up': [
          'Votre portefeuille n’est pas encore configuré',
          'Configurez-le dans l’onglet qu’il ouvre, ou ouvrez-le depuis la barre d’outils du navigateur. Appuyez ensuite de nouveau sur le bouton.',
        ],
        'wallet-locked': [
          'Votre portefeuille est verrouillé',
          'Déverrouillez-le, puis appuyez de nouveau sur le bouton.',
        ],
        'wallet-disconnected': [
          'Votre portefeuille a été mis à jour ou désactivé',
          'Rechargez cette page et réessayez.',
        ],
        busy: [
          'Votre portefeuille attend déjà votre réponse',
          'Répondez d’abord dans sa fenêtre ouverte, puis appuyez de nouveau sur le bouton.',
        ],
        'site-blocked': [
          'Vous avez bloqué ce site dans votre portefeuille',
          'Débloquez-le là-bas, sous «\u00a0Sites\u00a0», puis appuyez de nouveau sur le bouton.',
        ],
        'too-many-requests': ['Trop de tentatives', 'Attendez un instant, puis appuyez de nouveau sur le bouton.'],
        'invalid-challenge': [
          'Cela a pris trop de temps, ou votre horloge n’est pas à l’heure',
          'Vérifiez l’horloge de votre ordinateur. Appuyez sur le bouton pour réessayer.',
        ],
        'handle-taken': ['Ce nom d’utilisateur, ou un nom qui lui ressemble, est déjà pris', 'Choisissez-en un autre.'],
        'invalid-handle': [
          'Ce nom d’utilisateur n’est pas valide',
          'Utilisez 3 à 30 lettres minuscules et chiffres, dont au moins une lettre. Les points et les tirets sont permis entre eux.',
        ],
        'unsupported-method': [
          'Votre portefeuille doit être mis à jour',
          'Mettez-le à jour, puis rechargez cette page.',
        ],
        'service-unavailable': ['Le service est injoignable pour le moment', 'Appuyez sur le bouton pour réessayer.'],
        'unknown-account': ['Ce portefeuille n’a pas encore de compte ici', 'Il suffit d’un nom d’utilisateur.'],
        'key-taken': ['Ce portefeuille a déjà un compte ici', 'Chaque portefeuille a un seul compte.'],
      },
      createAccount: 'Créer un compte',
      signInWithIt: 'Se connecter avec ce compte',
    },
  },

  consent: {
    title: 'Autoriser l’accès\u00a0?',
    titleMore: 'Autoriser davantage\u00a0?',
    description: 'Une application souhaite accéder à votre compte.',
    allow: (name) => html`Autoriser ${name}\u00a0?`,
    asksMore: (name) => html`${name} demande davantage`,
    site: 'Site',
    siteNamed: 'Site (indiqué par l’application)',
    sendsYouTo: 'Vous dirige vers',
    account: 'Votre compte',
    notYou: 'Ce n’est pas vous\u00a0?',
    will: 'Elle pourra',
    willAlso: 'Elle pourra aussi',
    already: 'Vous lui permettez déjà de',
    never:
      'Elle ne peut jamais dépenser votre argent ni voir vos mots de récupération ou vos clés. Elle garde cet accès jusqu’à ce que vous le supprimiez sous «\u00a0Applis connectées\u00a0», dans votre compte.',
    no: 'Refuser',
    yes: 'Autoriser',
    scopes: {
      'auth.user_identity:read': {
        may: 'Voir votre identifiant et votre nom',
        not: 'Cela ne lui permet pas de voir votre solde ni vos paiements.',
      },
      'users.profiles:read': {
        may: 'Voir votre profil\u00a0: nom, paymail, image, présentation, monnaie et langue',
        not: 'Elle ne peut pas le modifier.',
      },
      'users.balance:read': {
        may: 'Voir votre solde, tel que publié en dernier par votre portefeuille',
        not: 'Elle ne peut rien en dépenser.',
      },
      'payments:read': {
        may: 'Voir vos paiements, envoyés et reçus, et ceux effectués par vos applications\u00a0: montants, expéditeurs, destinataires, dates et données jointes',
        not: 'Elle ne peut ni faire ni modifier de paiements.',
      },
      'users.asset:read': {
        may: 'Voir vos actifs\u00a0: ceux que vous avez créés et, si elle peut voir votre solde, ceux que vous détenez',
        not: 'Elle ne peut en envoyer aucun.',
      },
      'users.asset:write': {
        may: 'Créer, modifier et supprimer des actifs en votre nom',
        not: 'Elle ne peut ni les émettre ni les envoyer.',
      },
    },
  },

  refusal: {
    title: 'Ce lien ne fonctionne pas',
    description: 'Une application vous a envoyé ici avec une demande non valide.',
    reasons: {
      'unknown-application': 'Le lien ne désigne aucune application que nous connaissons.',
      'no-redirect-uri':
        'Cette application n’a pas encore d’adresse de retour\u00a0: personne ne peut donc s’y connecter.',
      'other-redirect-uri':
        'Le lien vous dirigerait vers une autre adresse que celle enregistrée par cette application.',
    },
    next: 'Rien n’a été partagé. Revenez à l’application et réessayez. Si cela ne suffit pas, contactez ses développeurs.',
    developers: 'Pour les développeurs',
    developersText: (clientId, redirectUri) =>
      html`${clientId} doit être l’identifiant OAuth de l’application, et ${redirectUri} doit correspondre exactement à l’URL de redirection enregistrée. Vous trouverez les deux sur la page de l’application, dans votre compte.`,
    staleTitle: 'Recommencez, s’il vous plaît',
    staleDescription: 'Cette page a expiré.',
    staleLead: 'Cette page a expiré, car vous vous êtes déconnecté ou reconnecté depuis.',
    staleNext: 'Rien n’a été partagé. Revenez à l’application et recommencez.',
  },

  notFound: {
    title: 'Page introuvable',
    description: 'Cette page n’existe pas.',
    lead: 'Vérifiez l’adresse. La page a peut-être été déplacée ou supprimée.',
    home: 'Accueil',
  },

  errors: {
    forbidden: {
      title: 'Ce formulaire a expiré',
      text: 'Il a été ouvert dans une autre session ou venait d’un autre site. Rien n’a changé. Rouvrez la page et réessayez.',
    },
    'unknown-application': {
      title: 'Application introuvable',
      text: 'Elle a peut-être été supprimée, ou elle appartient à un autre compte.',
    },
    'not-found': {
      title: 'Page introuvable',
      text: 'Elle a peut-être été supprimée, ou elle appartient à un autre compte.',
    },
    'invalid-request': {
      title: 'Cela n’a pas fonctionné',
      text: 'Nous n’avons pas pu lire la demande. Rien n’a changé.',
    },
    'too-many-requests': {
      title: 'Trop de demandes',
      text: 'Rien n’a changé. Attendez quelques minutes, puis réessayez.',
    },
    'too-large': { title: 'Formulaire trop volumineux', text: 'Raccourcissez votre saisie. Rien n’a changé.' },
    'too-many-assets': {
      title: 'Vous avez 100 actifs',
      text: 'C’est le maximum. Supprimez-en un qui n’est pas émis, puis créez le nouveau.',
    },
    'asset-conflict': {
      title: 'Cet actif est émis',
      text: 'Un actif émis ne peut pas être supprimé\u00a0: d’autres peuvent en détenir.',
    },
    'too-many-applications': {
      title: 'Vous avez 50 applications',
      text: 'C’est le maximum. Supprimez-en une dont vous n’avez pas besoin, puis créez la nouvelle.',
    },
    other: { title: 'Une erreur s’est produite', text: 'Le problème vient de nous. Réessayez dans quelques minutes.' },
    toAccount: 'Aller à votre compte',
  },

  shop,
  account,
  applications,
  assets,
  gallery,
  reference,
};
