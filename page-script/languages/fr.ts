/**
 * The texts in French. Short instructions are in the infinitive, sentences use `vous`. A no-break space precedes `:`
 * and `!`.
 */
import type { Texts } from '../texts.ts';
import { withEnglish, type Translation } from '../translation.ts';

const AGAIN = 'Non payé. Glisser pour réessayer';

/** See {@link Translation}. */
export const translation: Translation = {
  // Glisser is to slide, and to slip somebody a tip.
  swipe: { buy: 'Glisser pour payer', tip: 'Glisser un pourboire', run: 'Glisser pour valider' },
  name: {
    buy: 'Glisser pour payer {amount}',
    tip: 'Glisser pour donner {amount} en pourboire',
    run: 'Glisser pour valider',
  },
  step: { buy: 'Payer {amount}', tip: 'Donner {amount}', run: 'Confirmer' },
  cancel: 'Annuler',
  nameWithLabel: '{name}\u00a0: {label}',
  percent: '{percent} pour cent',
  working: 'Consultez votre portefeuille…',
  success: { buy: 'C’est à vous\u00a0!', tip: 'Merci\u00a0!', run: 'Terminé' },
  paid: 'Payé\u00a0: {amount}',
  tokens: ['jeton', 'jetons'],
  fee: 'frais {fee}',
  cost: 'Environ {total}, frais de réseau inclus ({fee}).',
  // A button of 220 px has no room for the longer word here.
  toSelf: 'Paiement à vous-même',
  getWallet: 'Obtenir un wallet',
  noWallet: 'Sans portefeuille',
  opensNewTab: '{text} (s’ouvre dans un nouvel onglet)',
  payByPhone: 'Payer sur mobile',
  reloadPage: 'Recharger cette page',
  loadingTitle: 'Recherche de votre portefeuille…',
  disabledTitle: 'La page a désactivé ce bouton.',
  failed: 'Paiement indisponible',
  failedTitle: 'La page n’a pas configuré ce bouton correctement. Aucun argent n’a été transféré.',
  filePage: 'Ouvrir la page en http',
  filePageTitle:
    'Cette page a été ouverte comme fichier et aucun portefeuille ne peut y accéder. Ouvrez-la en https ou depuis http://localhost.',
  unmoved: 'Aucun argent n’a été transféré.',
  demo: 'Démo',
  demoTitle: 'Démo\u00a0: aucun argent n’est transféré.',
  demoPaid: 'Démo\u00a0: rien n’est payé',
  form: {
    to: 'Payer à',
    toExample: 'Paymail, identifiant ou adresse',
    amount: 'Montant',
    currency: 'Devise',
    badTo: 'Saisissez un paymail, un identifiant ou une adresse.',
    badAmount: 'Saisissez un montant, par exemple 0,50.',
    whichAmount: 'Quel montant voulez-vous dire ?',
    otherAmount: 'Autre montant',
    note: 'Note au vendeur (facultatif)',
    between: 'Saisissez un montant de {min} à {max}.',
    least: 'Saisissez au moins {min}.',
    most: 'Saisissez au plus {max}.',
    choose: 'Choisissez ou saisissez un montant.',
    again: 'Payer à nouveau',
  },
  errors: {
    refused: AGAIN,
    'approval-closed': AGAIN,
    'approval-expired': AGAIN,
    'page-gone': AGAIN,
    busy: 'Terminer d’abord le paiement en cours',
    'too-many-requests': 'Attendre un instant, puis glisser',
    'wallet-outdated': 'Mettre à jour le portefeuille et glisser',
    'wallet-unreadable': 'Restaurer le portefeuille et glisser',
    'disk-full': 'Libérer de l’espace et glisser',
    'wallet-locked': 'Déverrouiller le portefeuille et glisser',
    'wallet-not-set-up': 'Configurer le portefeuille et glisser',
    'insufficient-funds': 'Ajouter de l’argent, puis glisser',
    'amount-too-small': 'Montant trop petit pour être payé',
    'unsupported-recipient': 'Destinataire non pris en charge',
    'unknown-recipient': 'Destinataire inconnu',
    'paymail-unavailable': 'Hors ligne. Réessayez',
    'operation-failed': 'Déchiffrement impossible',
    'clock-ahead': 'Horloge en avance. Réglez-la',
    'rate-unavailable': 'Aucun taux de change. Réessayer plus tard',
    'network-unavailable': 'Réseau indisponible. Glisser à nouveau',
    'payment-pending': 'Envoi en cours… Ne pas repayer',
    'payment-contested': 'Non accepté. Voir portefeuille',
    'wallet-disconnected': 'Recharger la page, puis glisser',
    'insecure-origin': 'Paiement réservé aux pages sécurisées',
    other: 'Non effectué. Glisser pour réessayer',
  },
  phone: {
    title: 'Payer sur mobile',
    scan: 'Scannez ce code avec un portefeuille BSV.',
    enterAmount:
      'Saisissez-y {amount}\u00a0: le code ne contient pas de montant, car aucun taux de change n’est connu.',
    open: 'Ouvrir dans un portefeuille de cet appareil',
    note: 'Cette page ne peut pas voir un paiement effectué de cette façon.',
    close: 'Fermer',
  },
};

/** The whole table, for `serviceButton.provide`. */
export const texts: Texts = withEnglish(translation);
