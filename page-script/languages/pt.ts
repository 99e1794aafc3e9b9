/**
 * The texts in Portuguese, in words that Portugal and Brazil share: no gerund where they differ, no `você`, no words of
 * one country only.
 */
import type { Texts } from '../texts.ts';
import { withEnglish, type Translation } from '../translation.ts';

const AGAIN = 'Não foi pago. Deslize de novo';

/** See {@link Translation}. */
export const translation: Translation = {
  swipe: { buy: 'Deslize para pagar', tip: 'Deslize e dê gorjeta', run: 'Deslize e confirme' },
  name: {
    buy: 'Deslize para pagar {amount}',
    tip: 'Deslize para dar {amount} de gorjeta',
    run: 'Deslize para confirmar',
  },
  step: { buy: 'Pagar {amount}', tip: 'Dar {amount}', run: 'Confirmar' },
  cancel: 'Cancelar',
  nameWithLabel: '{name}: {label}',
  percent: '{percent} por cento',
  working: 'Consulte a sua carteira…',
  success: { buy: 'É seu!', tip: 'Obrigado!', run: 'Concluído' },
  paid: 'Pago: {amount}',
  tokens: ['token', 'tokens'],
  fee: 'taxa {fee}',
  cost: 'Cerca de {total}, taxa de rede incluída ({fee}).',
  toSelf: 'Pagamento para si',
  getWallet: 'Obter carteira',
  noWallet: 'Sem carteira',
  opensNewTab: '{text} (abre numa nova página)',
  payByPhone: 'Pagar com o smartphone',
  reloadPage: 'Recarregar esta página',
  loadingTitle: 'À procura da sua carteira…',
  disabledTitle: 'A página desativou este botão.',
  failed: 'Pagamento indisponível',
  failedTitle: 'A página não configurou bem este botão. Nenhum dinheiro foi movimentado.',
  filePage: 'Abra a página por http',
  filePageTitle:
    'Esta página foi aberta como ficheiro e nenhuma carteira lhe pode aceder. Abra-a por https ou a partir de http://localhost.',
  unmoved: 'Nenhum dinheiro foi movimentado.',
  demo: 'Demo',
  demoTitle: 'Demo: nenhum dinheiro é movimentado.',
  demoPaid: 'Demo: nada foi pago',
  form: {
    to: 'Pagar a',
    toExample: 'Paymail, ID ou endereço',
    amount: 'Valor',
    currency: 'Moeda',
    badTo: 'Digite um paymail, um ID ou um endereço.',
    badAmount: 'Digite um valor, por exemplo 0,50.',
    whichAmount: 'Qual é o valor certo?',
    otherAmount: 'Outro valor',
    note: 'Nota ao vendedor (opcional)',
    between: 'Digite um valor de {min} a {max}.',
    least: 'Digite pelo menos {min}.',
    most: 'Digite no máximo {max}.',
    choose: 'Escolha ou digite um valor.',
    again: 'Pagar de novo',
  },
  errors: {
    refused: AGAIN,
    'approval-closed': AGAIN,
    'approval-expired': AGAIN,
    'page-gone': AGAIN,
    busy: 'Conclua antes o pagamento em curso',
    'too-many-requests': 'Aguarde um momento e deslize',
    'wallet-outdated': 'Atualize a carteira e deslize',
    'wallet-unreadable': 'Restaure a carteira e deslize',
    'disk-full': 'Liberte espaço e deslize',
    'wallet-locked': 'Desbloqueie a carteira e deslize',
    'wallet-not-set-up': 'Configure a carteira e deslize',
    'insufficient-funds': 'Adicione dinheiro e deslize de novo',
    'amount-too-small': 'O valor é baixo demais para pagar',
    'unsupported-recipient': 'Destino não suportado',
    'unknown-recipient': 'Destino desconhecido',
    'paymail-unavailable': 'Sem ligação. Repita',
    'operation-failed': 'Não se pode decifrar',
    'clock-ahead': 'Relógio adiantado. Acerte a hora',
    'rate-unavailable': 'Sem taxa de câmbio. Tente mais tarde',
    'network-unavailable': 'Rede indisponível. Deslize de novo',
    'payment-pending': 'A enviar… Não pague de novo',
    'payment-contested': 'Não aceite. Ver carteira',
    'wallet-disconnected': 'Recarregue a página e deslize',
    'insecure-origin': 'Só se pode pagar em páginas seguras',
    other: 'Não concluído. Deslize de novo',
  },
  phone: {
    title: 'Pagar com o smartphone',
    scan: 'Leia este código com uma carteira BSV.',
    enterAmount: 'Digite lá {amount}: o código não contém o valor, porque não se conhece a taxa de câmbio.',
    open: 'Abrir numa carteira deste aparelho',
    note: 'Esta página não consegue ver um pagamento feito desta forma.',
    close: 'Fechar',
  },
};

/** The whole table, for `serviceButton.provide`. */
export const texts: Texts = withEnglish(translation);
