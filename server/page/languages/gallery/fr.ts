/** The texts of the gallery in French. */
import { PRODUCT_NAME } from '../../../../protocol/product.ts';
import { html } from '../../html.ts';
import type { GalleryTexts } from './en.ts';

/** See {@link GalleryTexts}. */
export const gallery: GalleryTexts = {
  title: 'Galerie',
  description: 'À quoi peut ressembler le bouton de paiement, et comment l’ajouter à votre page.',
  heading: 'Un bouton sur mesure',
  lead: 'Toutes les tailles, tous les états et toutes les langues du bouton, chacun avec son code. Faites glisser n’importe lequel\u00a0: sur cette page, ce sont des démos, et aucun argent ne bouge.',
  onThisPage: 'Sur cette page',
  noScript: 'Les boutons nécessitent JavaScript.',

  sections: {
    embed: { title: 'Sur votre page', lead: 'Un script, et un élément par bouton.' },
    sizes: { title: 'Tailles', lead: 'Une classe, ou deux propriétés personnalisées.' },
    looks: {
      title: 'Couleurs, coins, polices',
      lead: 'Des propriétés personnalisées, posées où vous voulez\u00a0: sur le bouton, une section, toute la page.',
    },
    parts: { title: 'Parties', lead: 'Des éléments nommés dans le bouton, que vous pouvez styler.' },
    themes: {
      title: 'Clair et sombre',
      lead: 'Chacun a son propre dessin\u00a0; aucun n’est seulement l’inverse de l’autre.',
    },
    states: { title: 'États', lead: 'L’état de l’élément est dans data-state. Aucun ne change sa taille.' },
    kinds: { title: 'Types', lead: 'Le type change les mots, jamais le fonctionnement.' },
    languages: {
      title: 'Langues',
      lead: `${PRODUCT_NAME} utilise la langue de l’élément où il se trouve. Les montants la suivent aussi. Les langues autres que l’anglais sont chargées à la demande.`,
    },
  },

  upToDate: 'Toujours à jour',
  upToDateText: 'En cache pendant une minute. Votre page reçoit les mises à jour d’elle-même.',
  upToDateCode: 'le script le plus récent',
  pinned: 'Fixé à cette version',
  pinnedText: (list) =>
    html`Disponible pour toujours, et le navigateur refuse tout le reste. Il ne charge rien de lui-même\u00a0: fixez aussi les langues et les parties que vous utilisez. ${list} les énumère toutes.`,
  pinnedCode: 'cette version du script',
  notBuilt: 'Le bouton n’a pas encore été compilé.',
  element: 'Un élément par bouton',
  elementText: (render, to) =>
    html`Ou en JavaScript\u00a0: ${render}. Mettez votre propre paymail, identifiant ou adresse dans ${to}.`,
  elementCode: 'un bouton',
  elementLabel: 'Lire l’article',
  languageCode: 'la langue d’une page',

  propertiesTitle: 'Propriétés personnalisées',
  propertyName: 'Nom',
  propertyInitial: 'Par défaut',
  propertyChanges: 'Ce qu’elle change',
  properties: {
    '--sb-accent': 'Remplissage, curseur, liens, anneau de focus',
    '--sb-paper': 'Curseur, et texte sur un remplissage',
    '--sb-track': 'La piste sous le curseur',
    '--sb-ink': 'Texte',
    '--sb-muted': 'Indications, frais, boutons désactivés',
    '--sb-outline': 'Contour',
    '--sb-success': 'Remplissage une fois payé',
    '--sb-danger': 'Erreurs',
    '--sb-height': 'Hauteur de la piste',
    '--sb-width': 'Largeur, au moins 220px',
    '--sb-radius': 'Coins',
    '--sb-font': 'Police',
    '--sb-font-size': 'Taille de la police',
  },
  initials: {
    '--sb-height': '48px\u00a0; compact 36px',
    '--sb-width': '300px\u00a0; pleine 100%',
    '--sb-radius': 'la moitié de la hauteur',
  },

  partNames: 'Noms des parties',
  parts: {
    button: 'Tout sauf le formulaire',
    track: 'La glissière',
    thumb: 'La partie que l’on fait glisser',
    fill: 'La couleur derrière le curseur',
    label: 'Le texte au milieu',
    amount: 'Le montant à payer',
    cost: 'Les frais de réseau sous le montant',
    'get-wallet': 'Le lien affiché quand il n’y a pas de portefeuille',
    phone: 'Le bouton qui ouvre le code à scanner',
    panel: 'Le panneau avec ce code',
    form: 'Les champs d’un bouton modifiable',
    field: 'L’un d’eux, avec son nom',
    pay: 'Le bouton qui paie après un appui',
    cancel: 'Le retour en arrière',
    preset: 'Un des montants au choix',
    question: 'La question sur un montant ambigu',
  },

  picture: (state) => `Le bouton\u00a0: ${state}`,
  states: {
    loading: { title: 'Recherche d’un portefeuille', text: 'Pendant 0,6 seconde au plus.' },
    ready: { title: 'Prêt', text: 'Faites glisser, ou utilisez les flèches, Entrée et Échap.' },
    working: { title: 'En cours', text: 'Le portefeuille interroge l’utilisateur. Rien n’a encore été payé.' },
    done: { title: 'Payé', text: 'Votre message de réussite, un instant.' },
    receipt: { title: 'Le reçu', text: 'Il reste, pour que personne ne paie deux fois.' },
    error: { title: 'Une erreur', text: 'Une courte ligne dit quoi faire. Faites glisser de nouveau pour réessayer.' },
    'no-wallet': { title: 'Pas de portefeuille', text: 'Un moyen d’en obtenir un, à la même taille.' },
    disabled: { title: 'Désactivé', text: 'Avec data-disabled. Son titre dit pourquoi.' },
    failed: { title: 'Mal configuré', text: 'data-reason donne un code stable\u00a0; la console dit quoi changer.' },
    editable: { title: 'Modifiable', text: 'Avec un formulaire au-dessus de la piste.' },
    rtl: { title: 'De droite à gauche', text: 'Glisse de droite à gauche, dans la langue de la page.' },
    compact: { title: 'Compact', text: 'Les mêmes états en 36 pixels.' },
    full: { title: 'Pleine largeur', text: 'Le montant reste à la fin.' },
  },

  examples: {
    default: {
      title: 'Par défaut',
      text: '300 × 48 pixels, plus étroit là où il y a moins de place, jusqu’à 220. Il garde sa taille dans tous les états.',
      label: 'Lire l’article',
    },
    compact: { title: 'Compact', text: '36 pixels de haut, pour les listes et les barres.', label: 'Débloquer' },
    full: { title: 'Pleine largeur', text: 'Aussi large que son conteneur.', label: 'Régler la commande' },
    size: {
      title: 'Votre taille',
      text: 'Au moins 220 pixels de large. Sous 280, le texte passe au-dessus du montant.',
      label: 'Une chanson',
    },
    accent: {
      title: 'Votre couleur',
      text: 'Une pour les pages claires, une pour les sombres. Gardez un contraste de 4,5 pour 1 avec la piste et le papier.',
      label: 'Rejoindre le club',
    },
    square: { title: 'Carré', text: 'Le curseur et le remplissage suivent les coins.', label: 'Acheter la formule' },
    font: {
      title: 'Votre police',
      text: 'N’importe quelle police de la page\u00a0; les chiffres restent alignés.',
      label: 'L’édition du jour',
    },
    quiet: {
      title: 'Discret',
      text: 'Sans fond propre, pour les pages assez colorées.',
      label: 'Laisser un pourboire',
    },
    part: {
      title: 'Styler une partie',
      text: 'Pour ce que les propriétés ne couvrent pas, utilisez\u00a0::part().',
      label: 'Un billet',
    },
    light: {
      title: 'Sur une page claire',
      text: 'Le bouton suit le color-scheme de ce qui l’entoure, pas celui du système du visiteur.',
      label: 'Lire l’article',
    },
    dark: {
      title: 'Sur une page sombre',
      text: 'Une page qui gère les deux définit «\u00a0color-scheme: light dark\u00a0».',
      label: 'Lire l’article',
    },
    buy: { title: 'Acheter', text: 'Le type par défaut. Sans libellé, il dit quoi faire.' },
    tip: { title: 'Pourboire', text: 'D’autres mots avant et après.' },
    user: {
      title: 'À un utilisateur',
      text: 'Par le paymail ou l’identifiant (chiffres) d’un utilisateur de votre service. Le portefeuille montre les deux.',
      label: 'L’envoyer à Ann',
    },
    sign: {
      title: 'À signer',
      text: 'Ne paie rien\u00a0: le portefeuille signe, chiffre ou déchiffre, et votre page reçoit le résultat.',
      label: 'Signer la pétition',
      success: 'Signée',
    },
    editable: {
      title: 'Modifiable',
      text: 'Le visiteur choisit qui payer et combien\u00a0; destinataire et monnaie ne font que préremplir le formulaire.',
    },
    message: {
      title: 'Votre message de réussite',
      text: 'Faites glisser\u00a0: votre message s’affiche d’abord, puis le reçu.',
      label: 'Soutenez-nous',
      success: 'Vous êtes formidable',
    },
  },
};
