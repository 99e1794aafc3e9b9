/** The texts of an account's pages in Spanish. */
import { plural } from '../../figures.ts';
import { html } from '../../html.ts';
import type { AccountTexts } from './en.ts';

/** See {@link AccountTexts}. */
export const account: AccountTexts = {
  navigation: {
    label: 'Tu cuenta',
    overview: 'Cuenta',
    sales: 'Ventas',
    payments: 'Pagos',
    assets: 'Activos',
    applications: 'Aplicaciones',
    connected: 'Aplicaciones conectadas',
  },
  script: { timesIn: 'Zona horaria: {zone}.' },

  notices: {
    'profile-saved': 'Perfil guardado.',
    'picture-saved': 'Imagen guardada.',
    'picture-removed': 'Imagen eliminada.',
    'application-created': 'Aplicación creada.',
    'shop-created': 'Tu tienda está lista. Ahora copia el código de su botón.',
    'application-saved': 'Cambios guardados.',
    'logo-saved': 'Logotipo guardado.',
    'logo-removed': 'Logotipo eliminado.',
    'client-secret-changed': 'Nuevo secreto de cliente creado. El anterior ya no funciona.',
    'webhook-secret-changed': 'Nuevo secreto de webhook creado. Los eventos ya se firman con él.',
    'webhook-secret-ended': 'El secreto de webhook anterior ha caducado. Los eventos solo se firman con el nuevo.',
    'test-event-sent': 'Evento de prueba enviado. El resultado aparece abajo.',
    'application-deleted': 'Aplicación eliminada.',
    'connection-revoked': 'Acceso eliminado.',
    'event-resent': 'Reenviando el evento.',
    'asset-created': 'Activo creado. Ahora emítelo.',
    'asset-saved': 'Cambios guardados.',
    'asset-deleted': 'Activo eliminado.',
  },
  form: {
    notSaved: (title) => `Sin guardar: ${title}`,
    nothingSaved: 'Aún no se ha guardado nada',
    check: (field) => html`Revisa: ${field}`,
    optional: '(opcional)',
    cancel: 'Cancelar',
  },
  problems: {
    'The request is malformed.': 'Algún dato no es válido o es demasiado largo.',
    'The name contains characters that can’t be displayed.': 'El nombre contiene caracteres que no se pueden mostrar.',
    'The text about you contains characters that can’t be displayed.':
      'El texto sobre ti contiene caracteres que no se pueden mostrar.',
    'The picture must be an https address.': 'La dirección de la imagen debe empezar por https://.',
    'The language must be one of the listed ones.': 'No conocemos ese idioma.',
    'This currency isn’t supported.': 'Esta moneda no se admite.',
    'The name must be at least 5 characters.': 'El nombre debe tener al menos 5 caracteres.',
    'The name must contain visible characters.': 'El nombre debe verse.',
    'The name must be at most 100 characters.': 'El nombre debe tener como máximo 100 caracteres.',
    'The description must be at most 1000 characters.': 'La descripción debe tener como máximo 1000 caracteres.',
    'The picture must be at most 500 characters.': 'La imagen debe tener como máximo 500 caracteres.',
    'The picture must begin with https:// and can’t contain #, a user or a password.':
      'La imagen debe empezar por https:// y no llevar #, usuario ni contraseña.',
    'The site must begin with https:// and can’t contain #, a user or a password.':
      'El sitio debe empezar por https:// y no llevar #, usuario ni contraseña.',
    'The supply must be a whole number from 1 to 18446744073709551615, in the smallest units.':
      'La cantidad debe estar entre 1 y 18446744073709551615 de las unidades más pequeñas.',
    'The alias must be at most 30 characters.': 'El paymail debe tener como máximo 30 caracteres.',
    'The alias must be 3 to 30 lowercase letters and digits, with at least one letter. Dots and hyphens are allowed between them.':
      'Un paymail tiene de 3 a 30 caracteres: minúsculas y cifras, con al menos una letra. Puede haber puntos y guiones en medio.',
    'This alias, or one that looks like it, is already taken.':
      'Este paymail, u otro que se le parece, ya está ocupado.',
    'The name can’t be empty.': 'Una aplicación necesita un nombre.',
    'The name must be at most 60 characters.': 'El nombre puede tener como máximo 60 caracteres.',
    'The site must be at most 500 characters.': 'La dirección del sitio puede tener como máximo 500 caracteres.',
    'The site must begin with https:// (or http:// on this machine) and can’t contain #, a user or a password.':
      'La dirección del sitio debe empezar por https:// (o http:// en este equipo) y no llevar #, usuario ni contraseña.',
    'The description must be at most 500 characters.': 'La descripción puede tener como máximo 500 caracteres.',
    'The description contains characters that can’t be displayed.':
      'La descripción contiene caracteres que no se pueden mostrar.',
    'The redirect URL must be at most 500 characters.': 'La URL de retorno puede tener como máximo 500 caracteres.',
    'The redirect URL must begin with https:// (or http:// on this machine) and can’t contain #, a user or a password.':
      'La URL de retorno debe empezar por https:// (o http:// en este equipo) y no llevar #, usuario ni contraseña.',
    'The redirect URL can’t contain the parameters code, state, iss or error. The response adds them.':
      'La URL de retorno no puede llevar un parámetro llamado code, state, iss o error: esos llegan con la respuesta.',
    'The webhook URL must be at most 500 characters.': 'La URL del webhook puede tener como máximo 500 caracteres.',
    'The webhook URL must begin with https:// (or http:// on this machine) and can’t contain #, a user or a password.':
      'La URL del webhook debe empezar por https:// (o http:// en este equipo) y no llevar #, usuario ni contraseña.',
    'The webhook URL must begin with https://.': 'La URL del webhook debe empezar por https://.',
    'The webhook URL must be reachable from the internet. This service sends nothing to its own machine or to private networks.':
      'La URL del webhook debe ser accesible desde internet: este servicio no envía nada a su propio equipo ni a redes privadas.',
    'The webhook body secret must be at most 200 characters.':
      'El secreto en el cuerpo de los webhooks puede tener como máximo 200 caracteres.',
    'The webhook body secret can’t be empty.': 'El secreto en el cuerpo de los webhooks no puede estar vacío.',
    'The webhook body secret contains characters that can’t be displayed.':
      'El secreto en el cuerpo de los webhooks contiene caracteres que no se pueden mostrar.',
    'Choose a picture first.': 'Elige primero una imagen.',
    'The picture must be at most 200 kB.': 'La imagen puede ocupar como máximo 200 kB.',
    'The picture must be a PNG or JPEG file.': 'La imagen debe ser un archivo PNG o JPEG.',
    'The picture must be 16 to 1024 pixels wide and high.':
      'La imagen debe medir de 16 a 1024 píxeles de ancho y de alto.',
  },

  overview: {
    title: 'Tu cuenta',
    description: 'Tu cuenta y tu perfil.',
    signedIn: 'Has iniciado sesión.',
    signedInAs: (name) => html`${name}, has iniciado sesión.`,
    getPaid: 'Cómo te pagan',
    userId: 'ID de usuario',
    memberSince: 'Miembro desde',
    custody: 'Tu dinero está en tu monedero, no aquí: este servicio no tiene tus claves y no puede gastarlo.',
    profile: 'Perfil',
    profileText:
      'Quien conozca tu paymail puede ver tu nombre y tu imagen. El resto lo ven las aplicaciones solo si lo permites.',
    name: 'Nombre',
    bio: 'Sobre ti',
    currency: 'Moneda',
    language: 'Idioma',
    save: 'Guardar perfil',
    signOut: 'Cerrar sesión',
    signOutText:
      'Cierra tu sesión en este sitio y en este navegador. Tu monedero y las aplicaciones conectadas siguen igual.',
  },

  picture: {
    title: 'Imagen',
    description: 'Tu propia imagen.',
    lead: 'Quien conozca tu paymail puede verla, y los monederos la muestran a quienes pagas o te pagan.',
    save: 'Guardar imagen',
    remove: 'Eliminar imagen',
    alt: 'Tu imagen',
    elsewhere: (address) => `Tu imagen está en ${address}`,
    none: 'Las personas a las que pagas ven tus iniciales.',
    add: 'Añadir una imagen',
    change: 'Cambiar la imagen',
  },
  upload: {
    picture: 'Imagen',
    hint: (kilobytes, pixels) => `PNG o JPEG, cuadrada, de ${kilobytes} kB y ${pixels} píxeles de lado como máximo.`,
  },

  statuses: {
    PENDING: { name: 'Pendiente', text: 'Aún no está firmado.' },
    RECEIVED: { name: 'En camino', text: 'La red lo tiene. Aún no está en un bloque.' },
    COMPLETED: { name: 'Confirmado', text: 'Está en un bloque y no se puede revertir.' },
    FAILED: { name: 'Fallido', text: 'La red lo rechazó.' },
  },
  contested: {
    names: { contested: 'En disputa', unknown: 'Desconocido para la red' },
    text: 'La red ya no lo respalda. Espere un bloque antes de entregar.',
  },
  descriptions: {
    'The network rejected the transaction.': 'La red rechazó la transacción.',
    'Another transaction spent the same coins.': 'Otra transacción gastó las mismas monedas.',
    'The network has not accepted the transaction for three days.':
      'La red no ha aceptado la transacción durante tres días.',
  },
  refund: 'Reembolso',
  refunded: 'Reembolsado',
  partlyRefunded: 'Reembolsado en parte',
  satoshis: plural('es', { one: '# satoshi', many: '# de satoshis', other: '# satoshis' }),
  claims: (amount) => `Según el remitente, ${amount}`,

  payments: {
    title: 'Pagos',
    description: 'Los pagos que enviaste y recibiste, con su estado.',
    lead: 'Lo que pagaste con tu monedero y recibiste en tu paymail, lo más reciente primero.',
    timesInUtc: 'Zona horaria: UTC.',
    status: 'Estado',
    all: 'Todos',
    to: 'Para',
    from: (sender) => html`De ${sender}`,
    andMore: plural('es', { other: 'y # más' }),
    unknownSender: 'un remitente desconocido',
    user: (id) => `Usuario ${id}`,
    notVerified: 'remitente sin verificar',
    more: 'Más pagos',
    newest: 'Más recientes',
    older: 'Anteriores',
    noMore: 'No hay más pagos.',
    none: 'Aún no hay pagos',
    noneText: 'Los pagos que hagas con tu monedero o recibas en tu paymail aparecen aquí en cuanto la red los tiene.',
    tryShop: 'Probar la tienda',
    noneWithStatus: (status) => `No tienes pagos con el estado «${status}».`,
    showAll: 'Mostrar todos los pagos',
  },

  payment: {
    title: (amount) => `Pago de ${amount}`,
    description: 'Un pago, con sus destinatarios y su estado.',
    heading: 'Pago de',
    all: 'Todos los pagos',
    details: 'Detalles',
    deviates: (amount) => `El remitente indica ${amount}, pero no es lo que se pagó.`,
    deviatesBelow: 'Lo que el remitente indica abajo para un destinatario no es lo que se pagó.',
    tokenUnits: (units) => `Unidades mínimas: ${units}, del token`,
    tokenValidity: {
      unverified: {
        name: 'Verificando token',
        text: 'Este servicio aún comprueba si el remitente tenía realmente el token: no entregues nada todavía.',
      },
      valid: {
        name: 'Token verificado',
        text: 'Este servicio ha seguido el token hasta su creación: el remitente lo tenía y ahora lo tiene el destinatario.',
      },
      invalid: {
        name: 'Token sin valor',
        text: 'El remitente no tenía tanto de este token: el destinatario no tiene nada de él. No entregues nada.',
      },
      unknown: {
        name: 'Token sin verificar',
        text: 'Este servicio no puede averiguar si el remitente tenía realmente el token: consulta la salida en un índice de tokens antes de entregar nada.',
      },
    },
    relyOnSatoshis: 'Fíate de los satoshis: es lo que movió la transacción.',
    time: 'Fecha',
    claimed: 'Según el remitente',
    from: 'De',
    you: 'Ti',
    note: 'Nota',
    site: 'Sitio',
    application: 'Aplicación',
    label: 'Etiqueta',
    refundOf: 'Reembolso de',
    payerNote: 'Nota del pagador',
    refunded: 'Reembolsado',
    buttonId: 'ID del botón',
    networkFee: 'Comisión de red',
    total: 'Total',
    id: 'ID del pago',
    transaction: 'Transacción',
    buttonData: 'Datos del botón',
    cut: plural('es', { one: '… (# carácter)', other: '… (# caracteres)' }),
    recipients: plural('es', { one: 'Destinatario', other: '# destinatarios' }),
    kinds: { ADDRESS: 'Dirección', SCRIPT: 'Script', PAYMAIL: 'Paymail', USER: 'ID de usuario' },
    refunds: 'Reembolsos',
    refund: 'Reembolsar…',
  },

  refunding: {
    title: 'Reembolsar un pago',
    description: 'Devuelve un pago, entero o en parte.',
    payment: 'Pago',
    heading: 'Reembolso',
    allRefunded: 'Este pago se reembolsó por completo.',
    left: (amount) => html`Queda por reembolsar: ${amount}`,
    howMuch: 'Cuánto',
    everything: 'Todo lo que queda',
    part: 'Una parte',
    amount: 'Importe',
    tooMuch: 'Es más de lo que queda del pago.',
    noAmount: 'Escribe un importe, por ejemplo 1,50.',
    whichAmount: '¿Qué importe quieres decir?',
    currency: 'Moneda',
    atRate: (currency) => `${currency}, al cambio de la venta`,
    update: 'Actualizar importe',
    pay: 'Devolverlo',
    toAddress: (amount, address) => html`${amount} a la dirección que pagó: ${address}`,
    noScript: 'El botón requiere JavaScript.',
    fromWallet:
      'Paga con el monedero de esta cuenta: así el reembolso queda anotado en el pago y tu webhook se entera.',
  },

  connected: {
    title: 'Aplicaciones conectadas',
    description: 'Aplicaciones con acceso a tu cuenta.',
    lead: 'Aplicaciones con acceso a tu cuenta. Si eliminas el acceso, termina al instante.',
    none: 'Ninguna aplicación tiene acceso a tu cuenta.',
    noneText: 'Cuando inicies sesión en un sitio con este servicio, aparecerá aquí.',
    since: (day) => html`Conectada desde el ${day}. Puede:`,
    grantedSince: (day) => html`desde el ${day}`,
    never: 'Nunca puede gastar tu dinero ni ver tus claves.',
    remove: 'Eliminar acceso',
  },
};
