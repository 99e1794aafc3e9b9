/**
 * The texts in Spanish, for Spain and Latin America alike: `tú`, as payment products there say, and no word of one
 * country only.
 */
import type { Texts } from '../texts.ts';
import { withEnglish, type Translation } from '../translation.ts';

const AGAIN = 'Pago no realizado. Desliza otra vez';

/** See {@link Translation}. */
export const translation: Translation = {
  swipe: { buy: 'Desliza para pagar', tip: 'Desliza y da propina', run: 'Desliza y confirma' },
  name: {
    buy: 'Desliza para pagar {amount}',
    tip: 'Desliza para dar {amount} de propina',
    run: 'Desliza para confirmar',
  },
  step: { buy: 'Pagar {amount}', tip: 'Dar {amount}', run: 'Confirmar' },
  cancel: 'Cancelar',
  nameWithLabel: '{name}: {label}',
  percent: '{percent} por ciento',
  working: 'Revisa tu monedero…',
  success: { buy: '¡Es tuyo!', tip: '¡Gracias!', run: 'Hecho' },
  paid: 'Pagado: {amount}',
  tokens: ['token', 'tokens'],
  fee: 'comisión {fee}',
  cost: 'Aproximadamente {total}, comisión de red incluida ({fee}).',
  toSelf: 'Pago a tu cuenta',
  getWallet: 'Crear monedero',
  noWallet: 'Sin monedero',
  opensNewTab: '{text} (se abre en una pestaña nueva)',
  payByPhone: 'Pagar con el teléfono',
  reloadPage: 'Recargar esta página',
  loadingTitle: 'Buscando tu monedero…',
  disabledTitle: 'La página desactivó este botón.',
  failed: 'Pago no disponible',
  failedTitle: 'La página no configuró bien este botón. No se movió dinero.',
  filePage: 'Abre la página por http',
  filePageTitle:
    'Esta página se abrió como archivo y ningún monedero puede acceder a ella. Ábrela por https o desde http://localhost.',
  unmoved: 'No se movió dinero.',
  demo: 'Demo',
  demoTitle: 'Demo: no se mueve dinero.',
  demoPaid: 'Demo: nada pagado',
  form: {
    to: 'Pagar a',
    toExample: 'Paymail, ID de usuario o dirección',
    amount: 'Importe',
    currency: 'Moneda',
    badTo: 'Escribe un paymail, un ID de usuario o una dirección.',
    badAmount: 'Escribe un importe, por ejemplo 0,50.',
    whichAmount: '¿Qué importe quieres decir?',
    otherAmount: 'Otro importe',
    note: 'Nota al vendedor (opcional)',
    between: 'Escribe un importe de {min} a {max}.',
    least: 'Escribe al menos {min}.',
    most: 'Escribe como máximo {max}.',
    choose: 'Elige o escribe un importe.',
    again: 'Pagar otra vez',
  },
  errors: {
    refused: AGAIN,
    'approval-closed': AGAIN,
    'approval-expired': AGAIN,
    'page-gone': AGAIN,
    busy: 'Termina primero el pago en curso',
    'too-many-requests': 'Espera un momento y desliza',
    'wallet-outdated': 'Actualiza tu monedero y desliza',
    'wallet-unreadable': 'Restaura tu monedero y desliza',
    'disk-full': 'Libera espacio y desliza',
    'wallet-locked': 'Desbloquea tu monedero y desliza',
    'wallet-not-set-up': 'Configura tu monedero y desliza',
    'insufficient-funds': 'Añade dinero y desliza otra vez',
    'amount-too-small': 'Importe demasiado pequeño para pagar',
    'unsupported-recipient': 'Destino no admitido',
    'unknown-recipient': 'Destino desconocido',
    'paymail-unavailable': 'No responde. Repite',
    'operation-failed': 'No se puede descifrar',
    'clock-ahead': 'Reloj adelantado. Ponlo en hora',
    'rate-unavailable': 'Sin tipo de cambio. Prueba más tarde',
    'network-unavailable': 'Red no disponible. Desliza otra vez',
    'payment-pending': 'Enviando… No pagues otra vez',
    'payment-contested': 'No aceptado. Ver monedero',
    'wallet-disconnected': 'Recarga la página y desliza',
    'insecure-origin': 'Solo se paga en páginas seguras',
    other: 'No realizado. Desliza otra vez',
  },
  phone: {
    title: 'Pagar con el teléfono',
    scan: 'Escanea este código con un monedero BSV.',
    enterAmount: 'Escribe allí {amount}: el código no lleva importe, porque no se conoce el tipo de cambio.',
    open: 'Abrir en un monedero de este dispositivo',
    note: 'Esta página no puede ver un pago hecho de este modo.',
    close: 'Cerrar',
  },
};

/** The whole table, for `serviceButton.provide`. */
export const texts: Texts = withEnglish(translation);
