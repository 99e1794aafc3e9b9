/** The texts of the pages of a user's assets in Spanish. */
import { html } from '../../html.ts';
import type { AssetTexts } from './en.ts';

/** See {@link AssetTexts}. */
export const assets: AssetTexts = {
  list: {
    title: 'Tus activos',
    description: 'Los activos que creaste en este servicio.',
    heading: 'Activos',
    lead: 'Tokens propios, como puntos, participaciones o entradas. Aquí los describes y tu monedero los emite.',
    create: 'Nuevo activo',
    full: (most) => `Tienes ${most} activos, el máximo. Elimina uno que no esté emitido para crear otro.`,
    none: 'Aún no tienes activos.',
    noneText: 'Un activo es un token en la cadena de bloques BSV (BSV-21). Tú eliges su nombre y cuánto hay de él.',
  },
  states: { pending: 'Sin emitir', minting: 'Confirmándose', minted: 'Emitido' },

  form: {
    titleNew: 'Nuevo activo',
    titleEdit: (name) => `Editar ${name}`,
    heading: (name) => html`Editar ${name}`,
    description: 'El nombre, la descripción y la cantidad del activo.',
    all: 'Todos los activos',
    lead: 'Podrás cambiar después el nombre, la descripción y la imagen. Lo demás queda como está.',
    name: 'Nombre',
    nameHint: 'Al menos 5 caracteres.',
    about: 'Descripción',
    avatar: 'Imagen',
    avatarHint: 'La dirección de una imagen, que empieza por https://. Este servicio no la carga.',
    supply: 'Cantidad',
    supplyHint: 'Cuánto habrá de él en total, para siempre.',
    decimals: 'Decimales',
    decimalsHint: 'Cifras tras la coma. Con 2, la cantidad más pequeña es 0,01.',
    url: 'Sitio',
    urlHint: 'Una página sobre el activo, que empieza por https://.',
    alias: 'Paymail',
    aliasHint: (domain) => `La parte antes de @${domain}. Si la dejas vacía, inventamos una.`,
    save: 'Guardar cambios',
    create: 'Crear activo',
  },

  one: {
    description: 'Uno de tus activos.',
    created: (day) => html`Creado el ${day}`,
    edit: 'Editar',
    delete: 'Eliminar',
    details: 'Detalles',
    supply: 'Cantidad',
    state: 'Estado',
    picture: 'Imagen',
    site: 'Sitio',
    assetId: 'ID del activo',
    tokenId: 'ID del token',
    mintTitle: 'Emitir este activo',
    mintText:
      'Tu monedero crea toda la cantidad en una transacción y la guarda. Pagas la comisión de red. Después, la cantidad no se puede cambiar.',
    mint: 'Emitir con el monedero',
    noScript: 'Para emitir hace falta JavaScript.',
    mintingText: 'La red ha aceptado el token. Quedará emitido cuando esté en un bloque.',
  },
  mint: {
    working: 'Mira tu monedero…',
    noWallet: 'No hay ningún monedero en este navegador, o está desactivado en este sitio.',
    outdated: 'Tu monedero aún no puede emitir activos. Actualízalo e inténtalo de nuevo.',
    refused: 'No se emitió nada.',
    waiting: 'Tu monedero lo ha firmado y lo emitirá en cuanto pueda conectarse a la red.',
    failed: 'No ha funcionado. Inténtalo de nuevo: tu monedero no emite dos veces el mismo activo.',
  },
  delete: {
    title: '¿Eliminar este activo?',
    consequences: [
      'Su paymail vuelve a quedar libre.',
      'Nada cambia en la cadena de bloques. Si tu monedero lo está emitiendo ahora, es mejor que lo dejes terminar.',
    ],
    button: 'Eliminar activo',
  },
};
