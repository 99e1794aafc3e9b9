/** The texts around the API reference in French. */
import { plural } from '../../figures.ts';
import { html } from '../../html.ts';
import type { ReferenceTexts } from './en.ts';

/** See {@link ReferenceTexts}. */
export const reference: ReferenceTexts = {
  title: 'Référence de l’API',
  description:
    'Tous les points d’accès de l’API HTTP\u00a0: qui peut les appeler, ce qu’ils acceptent et ce qu’ils renvoient.',
  lead: (link) =>
    html`Tous les points d’accès de l’API HTTP\u00a0: qui peut les appeler, ce qu’ils acceptent et ce qu’ils renvoient. Aussi sous forme de ${link('document OpenAPI 3.1')}.`,
  inEnglish: 'Les descriptions de l’API et les exemples sont en anglais.',
  contents: 'Sommaire',
  contentsLabel: 'Sommaire de la référence',
  search: 'Rechercher',
  searchLabel: 'Rechercher dans la référence',
  found: 'Résultats\u00a0: {count}',
  noneFound: 'Rien trouvé. Essayez un chemin, un champ ou un code d’erreur.',
  languages: 'Langage des exemples',

  basics: 'Notions de base',
  authentication: 'Authentification',
  errors: 'Erreurs',
  anError: 'Une erreur',
  lists: 'Listes',
  idempotency: 'Idempotence',
  limits: 'Limites de débit',
  parts: {
    'API v2': 'API v2',
    OAuth: 'OAuth',
    Applications: 'Applications',
    'API v1': 'API v1',
    Wallets: 'Portefeuilles',
    Paymail: 'Paymail',
    Network: 'Réseau',
    Devnet: 'Devnet',
  },
  webhooks: 'Webhooks',
  errorCodes: 'Codes d’erreur',
  allErrorCodes: 'Tous les codes d’erreur',
  code: 'Code',
  status: 'Statut',
  message: 'Message',

  scopes: 'Autorisations',
  scope: 'Autorisation',
  grantedBy: 'Accordée par',
  byUser: 'l’utilisateur',
  bySecret: 'son secret client',
  allows: 'Permet à l’application de',

  callers: {
    anybody: 'Tout le monde',
    wallet: 'Le portefeuille, avec son propre jeton',
    'any-wallet': 'Le portefeuille, avec son propre jeton, ou tout portefeuille sans jeton',
    owner: 'Le portefeuille, avec son propre jeton, ou les pages de ce service',
    person: 'Le navigateur de l’utilisateur',
    gateway: 'ARC, avec le jeton que ce service lui a donné',
  },
  client: (parameter) => html`Une application, avec ${parameter} ou avec son secret (HTTP Basic)`,
  tokenWith: (scopes) => html`Un jeton avec ${scopes.map((scope, i) => html`${i > 0 && ' ou '}${scope}`)}`,
  stop: '.',
  takes: (header) => html`Accepte ${header}.`,
  inPath: 'Dans le chemin',
  query: 'Paramètres de requête',
  body: 'Corps',
  bodyOf: (type) => `Corps (${type})`,
  orBodyOf: (type) => `Ou un corps ${type}`,
  response: (status) => `Réponse ${status}`,
  noBody: 'sans corps',
  unstructured: {
    events: 'événements envoyés par le serveur (text/event-stream)',
    page: 'une page (text/html)',
    text: 'texte brut',
    redirect: 'une redirection',
  },
  errorList: (codes) => html`Erreurs\u00a0: ${codes.map((code, i) => html`${i > 0 && ', '}${code}`)}.`,
  emptyObject: 'Un objet vide.',
  fields: plural('fr', { one: '# champ', other: '# champs' }),
  optional: 'facultatif',
};
