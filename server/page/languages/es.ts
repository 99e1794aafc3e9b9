/** The texts of the public pages in Spanish. */
import { PRODUCT_NAME } from '../../../protocol/product.ts';
import { html } from '../html.ts';
import { account } from './account/es.ts';
import { applications } from './applications/es.ts';
import { assets } from './assets/es.ts';
import type { SiteTexts } from './en.ts';
import { gallery } from './gallery/es.ts';
import { reference } from './reference/es.ts';
import { shop } from './shop/es.ts';

/** See {@link SiteTexts}. */
export const texts: SiteTexts = {
  frame: {
    skip: 'Ir al contenido',
    pages: 'Páginas',
    gallery: 'Galería',
    docs: 'Docs',
    shop: 'Tienda de prueba',
    signedInAs: 'Sesión iniciada como',
    signIn: 'Iniciar sesión',
    toDark: 'Tema oscuro',
    toLight: 'Tema claro',
    networks: {
      devnet: 'Devnet: dinero de juguete en este equipo',
      testnet: 'Testnet: monedas sin valor',
      mainnet: 'Mainnet',
    },
    copying: {
      copy: 'Copiar',
      copyWhat: 'Copiar: {what}',
      copied: 'Copiado',
      notCopied: 'No copiado',
      copyYourself: 'No se pudo copiar. Selecciona el texto.',
    },
  },

  docs: {
    title: 'Documentación',
    description: 'Cómo usar el botón, la wallet y el servicio, y cómo funcionan.',
    inEnglish: 'La documentación está en inglés.',
    contentsLabel: 'Contenido de la documentación',
    searchLabel: 'Buscar en la documentación',
    noneFound: 'No se encontró nada. Prueba con otra palabra, un atributo o un código de error.',
  },

  landing: {
    title: 'Paga deslizando',
    description: 'Un botón de pago para páginas web y un monedero en el navegador que guarda tus claves solo para ti.',
    lead: 'Un botón para cualquier página web y un monedero en tu navegador para pagar. Diez centavos o diez dólares, al instante, con monedas que solo tú controlas.',
    shop: 'Probar la tienda',
    gallery: 'Ver todos los botones',
    tryLabel: 'Leer este artículo',
    tryText: 'Un botón de verdad para probar. Desliza: este no paga nada y no necesita monedero.',
    how: 'Cómo funciona',
    asks: 'Una página pide',
    asksText: 'El botón dice para qué es y cuánto cuesta. Una página no puede ver tu monedero ni pagar en tu nombre.',
    decide: 'Tú decides',
    decideText: 'Deslizas, y tu monedero muestra quién pide, quién cobra y cuánto, con la comisión de red incluida.',
    paid: 'Pagado',
    paidText: 'Tu monedero firma y envía el pago. Tus claves nunca salen de tu navegador.',
    embed: 'Ponlo en tu página',
    embedText: (link) =>
      html`Un script y un elemento por cada botón. La ${link('galería')} muestra todos los tamaños, estados e idiomas, con su código.`,
    example: 'Ejemplo de una página con un botón',
    custody: `${PRODUCT_NAME} nunca guarda tu dinero ni el de tus clientes: los pagos van directamente de monedero a monedero.`,
  },

  wallet: {
    title: 'Obtén el monedero',
    lead: 'Bastan unos clics y el monedero te guía. Anota tus palabras de recuperación: sin ellas nadie puede recuperar tu dinero.',
    otherBrowser: 'Otro navegador',
    chromium: 'Chrome, Edge, Brave u Opera',
    download: 'Descargar el monedero',
    downloadForFirefox: 'Descargar el monedero para Firefox',
    version: (version) => `Versión ${version}`,
    unzip:
      'Descomprime el archivo en una carpeta que vayas a conservar: el navegador carga el monedero desde ahí cada vez que se abre.',
    developerMode: (address) => html`Abre ${address} y activa el «Modo de desarrollador» («Developer mode»).`,
    developerModeOfEdge: (address) =>
      html`Abre ${address} y activa el «Modo de desarrollador» («Developer mode») en la columna de la izquierda.`,
    loadUnpacked: 'Elige «Cargar descomprimida» («Load unpacked»).',
    selectFolder: 'Selecciona la carpeta descomprimida.',
    update:
      'Para actualizar, descomprime una descarga más reciente en la misma carpeta y haz clic en el icono de recarga del monedero en esa página. Tu monedero sigue igual.',
    keepZip: 'No descomprimas el archivo: Firefox lo carga tal cual.',
    loadTemporary: (address) =>
      html`Abre ${address} y elige «Cargar complemento temporal…» («Load Temporary Add-on…»).`,
    selectFile: 'Selecciona el archivo descargado.',
    unsigned:
      'Este monedero no está firmado por Mozilla, así que Firefox lo elimina, con todo su contenido, al cerrar el navegador. Solo tus palabras de recuperación pueden restaurarlo.',
    addTo: (browser) => `Añadir a ${browser}`,
    from: (host) => `desde ${host}`,
    edgeStores: 'Edge puede preguntar si permites extensiones de otras tiendas: permítelo.',
    upToDate: 'Tu navegador lo mantiene al día.',
    withoutStore: 'Sin la tienda',
    onComputers: 'El monedero funciona en ordenadores',
    onComputersText: (address) =>
      html`Es una extensión para Chrome, Edge, Brave y Firefox de escritorio. Los navegadores del teléfono no la admiten. Abre ${address} en tu equipo para obtenerlo.`,
    fromPhone: 'Pagar desde este teléfono',
    fromPhoneText:
      'También puedes pagar con otro monedero BSV de tu teléfono. Vuelve a la página que quieres pagar y toca el código QR junto a «Obtén el monedero». Abre el pago en ese monedero, o deja que otro teléfono lo escanee. Solo los botones que pagan a una única dirección tienen código QR.',
    tryShop: 'Pruébalo en la tienda',
    howOnComputer: 'Cómo instalarlo en un equipo de escritorio',
    safari: 'El monedero no está disponible para Safari. Abre esta página en Chrome, Edge, Brave o Firefox.',
  },

  signIn: {
    title: 'Iniciar sesión',
    titleRegister: 'Crea tu cuenta',
    description: 'Inicia sesión con el monedero de tu navegador. Sin contraseña.',
    lead: 'Tu monedero inicia la sesión. Sin contraseña ni correo.',
    leadRegister: 'Solo necesitas un alias. Sin contraseña ni correo.',
    leadFor: (application) =>
      html`Tu monedero inicia la sesión. Después te preguntaremos si ${application} puede acceder a lo que pide.`,
    leadRegisterFor: (application) =>
      html`Solo necesitas un alias. Después te preguntaremos si ${application} puede acceder a lo que pide.`,
    noScript: 'Iniciar sesión requiere JavaScript: esta página lo usa para hablar con tu monedero.',
    looking: 'Buscando tu monedero…',
    noWallet: 'No se encontró ningún monedero en este navegador',
    noWalletText:
      'Tu cuenta pertenece a un monedero: una pequeña extensión del navegador que guarda tus claves y firma por ti. Nadie más tiene tus claves, y no hay contraseña que podamos perder.',
    newTab: '(se abre en una pestaña nueva)',
    stay: 'Deja abierta esta página. Continúa sola cuando el monedero esté instalado.',
    window: 'Tu monedero abrirá una ventana con la dirección de este sitio y lo que vas a firmar.',
    withWallet: 'Iniciar sesión con tu monedero',
    handle: 'Alias',
    handleHint: 'De 3 a 30 letras, cifras, puntos o guiones.',
    name: 'Tu nombre (opcional)',
    nameHint: 'Quien te pague puede verlo.',
    createWithWallet: 'Crear cuenta con tu monedero',
    haveAccount: '¿Ya tienes cuenta?',
    signIn: 'Iniciar sesión',
    noAccount: '¿Aún no tienes cuenta?',
    createOne: 'Crea una',
    script: {
      checkWallet: 'Mira tu monedero…',
      moment: 'Un momento…',
      decide: 'Tu monedero ha abierto una ventana. Léela y decide allí.',
      done: 'Sesión iniciada. Volviendo…',
      badHandle:
        'Usa de 3 a 30 letras minúsculas y cifras, con al menos una letra. Se permiten puntos y guiones entre ellas.',
      checking: 'Comprobando…',
      unsure: 'Ahora no podemos comprobar los alias. Lo sabrás al crear la cuenta.',
      taken: 'Este alias, u otro que se le parece, ya está ocupado.',
      free: '{handle} está disponible.',
      paymail: 'Tu paymail será {paymail}',
      failed: 'No ha funcionado',
      again: 'Pulsa el botón para intentarlo de nuevo.',
      problems: {
        'sign-in-refused': ['Rechazaste en tu monedero', 'No se firmó nada. Pulsa el botón para intentarlo de nuevo.'],
        'page-gone': [
          'Se cerró la ventana de tu monedero',
          'No se firmó nada. Pulsa el botón para intentarlo de nuevo.',
        ],
        'wallet-not-set-up': [
          'Tu monedero aún no está configurado',
          'Configúralo en la pestaña que abre, o ábrelo desde la barra de herramientas del navegador. Después pulsa otra vez el botón.',
        ],
        'wallet-locked': ['Tu monedero está bloqueado', 'Desbloquéalo y pulsa otra vez el botón.'],
        'wallet-disconnected': ['Tu monedero se actualizó o se desactivó', 'Recarga esta página e inténtalo de nuevo.'],
        busy: [
          'Tu monedero ya espera tu respuesta',
          'Responde primero en su ventana abierta y pulsa otra vez el botón.',
        ],
        'site-blocked': [
          'Bloqueaste este sitio en tu monedero',
          'Desbloquéalo allí, en «Sitios», y pulsa otra vez el botón.',
        ],
        'too-many-requests': ['Demasiados intentos', 'Espera un momento y pulsa otra vez el botón.'],
        'invalid-challenge': [
          'Tardó demasiado, o tu reloj no va bien',
          'Comprueba el reloj de tu equipo. Pulsa el botón para intentarlo de nuevo.',
        ],
        'handle-taken': ['Este alias, u otro que se le parece, ya está ocupado', 'Elige otro.'],
        'invalid-handle': [
          'No es un alias válido',
          'Usa de 3 a 30 letras minúsculas y cifras, con al menos una letra. Se permiten puntos y guiones entre ellas.',
        ],
        'unsupported-method': ['Tu monedero necesita una actualización', 'Actualízalo y recarga esta página.'],
        'service-unavailable': [
          'Ahora no se puede contactar con el servicio',
          'Pulsa el botón para intentarlo de nuevo.',
        ],
        'unknown-account': ['Este monedero aún no tiene cuenta aquí', 'Solo necesitas un alias.'],
        'key-taken': ['Este monedero ya tiene una cuenta aquí', 'Cada monedero tiene una cuenta.'],
      },
      createAccount: 'Crear una cuenta',
      signInWithIt: 'Iniciar sesión con ella',
    },
  },

  consent: {
    title: '¿Permitir el acceso?',
    titleMore: '¿Permitir más?',
    description: 'Una aplicación quiere acceder a tu cuenta.',
    allow: (name) => html`¿Permitir ${name}?`,
    asksMore: (name) => html`${name} pide más`,
    site: 'Sitio',
    siteNamed: 'Sitio (según la aplicación)',
    sendsYouTo: 'Te lleva a',
    account: 'Tu cuenta',
    notYou: '¿No eres tú?',
    will: 'Podrá',
    willAlso: 'También podrá',
    already: 'Ya le permites',
    never:
      'Nunca podrá gastar tu dinero ni ver tus palabras de recuperación o tus claves. Conserva este acceso hasta que lo elimines en «Aplicaciones conectadas», en tu cuenta.',
    no: 'Rechazar',
    yes: 'Permitir',
    scopes: {
      'auth.user_identity:read': {
        may: 'Ver tu ID de usuario y tu nombre',
        not: 'No le permite ver tu saldo ni tus pagos.',
      },
      'users.profiles:read': {
        may: 'Ver tu perfil: nombre, paymail, imagen, descripción, moneda e idioma',
        not: 'No puede cambiar tu perfil.',
      },
      'users.balance:read': {
        may: 'Ver tu saldo, según lo último que publicó tu monedero',
        not: 'No puede gastar nada.',
      },
      'payments:read': {
        may: 'Ver tus pagos, enviados y recibidos, y los hechos con tus aplicaciones: importes, remitentes, destinatarios, fechas y los datos que los acompañaban',
        not: 'No puede hacer ni cambiar pagos.',
      },
      'users.asset:read': {
        may: 'Ver tus activos: los que creaste y, si puede ver tu saldo, los que tienes',
        not: 'No puede enviar ninguno.',
      },
      'users.asset:write': {
        may: 'Crear, cambiar y eliminar activos en tu nombre',
        not: 'No puede emitirlos ni enviarlos.',
      },
    },
  },

  refusal: {
    title: 'Este enlace no funciona',
    description: 'Una aplicación te envió aquí con una solicitud no válida.',
    reasons: {
      'unknown-application': 'El enlace no indica ninguna aplicación que conozcamos.',
      'no-redirect-uri': 'Esta aplicación aún no tiene dirección de retorno, así que nadie puede conectarse a ella.',
      'other-redirect-uri': 'El enlace te llevaría a una dirección distinta de la que registró esta aplicación.',
    },
    next: 'No se compartió nada. Vuelve a la aplicación e inténtalo de nuevo. Si no funciona, contacta con sus desarrolladores.',
    developers: 'Para desarrolladores',
    developersText: (clientId, redirectUri) =>
      html`${clientId} debe ser el identificador OAuth de la aplicación, y ${redirectUri} debe coincidir exactamente con la URL de retorno registrada. Ambos están en la página de la aplicación, en tu cuenta.`,
    staleTitle: 'Empieza de nuevo',
    staleDescription: 'Esa página ha caducado.',
    staleLead: 'Esa página ha caducado porque desde entonces cerraste sesión o volviste a iniciarla.',
    staleNext: 'No se compartió nada. Vuelve a la aplicación y empieza de nuevo.',
  },

  notFound: {
    title: 'Página no encontrada',
    description: 'Esta página no existe.',
    lead: 'Revisa la dirección. Quizá la página se movió o se eliminó.',
    home: 'Inicio',
  },

  errors: {
    forbidden: {
      title: 'Este formulario ha caducado',
      text: 'Se abrió en otra sesión o vino de otro sitio. No ha cambiado nada. Abre la página otra vez e inténtalo de nuevo.',
    },
    'unknown-application': { title: 'Aplicación no encontrada', text: 'Quizá se eliminó, o pertenece a otra cuenta.' },
    'not-found': { title: 'Página no encontrada', text: 'Quizá se eliminó, o pertenece a otra cuenta.' },
    'invalid-request': { title: 'No ha funcionado', text: 'No pudimos leer la solicitud. No ha cambiado nada.' },
    'too-many-requests': {
      title: 'Demasiadas solicitudes',
      text: 'No ha cambiado nada. Espera unos minutos e inténtalo de nuevo.',
    },
    'too-large': { title: 'Formulario demasiado grande', text: 'Acorta lo que escribiste. No ha cambiado nada.' },
    'too-many-assets': {
      title: 'Tienes 100 activos',
      text: 'Es el máximo. Elimina uno que no esté emitido y crea después el nuevo.',
    },
    'asset-conflict': {
      title: 'Este activo está emitido',
      text: 'Un activo emitido no se puede eliminar: otras personas pueden tener parte de él.',
    },
    'too-many-applications': {
      title: 'Tienes 50 aplicaciones',
      text: 'Es el máximo. Elimina una que no necesites y crea después la nueva.',
    },
    other: { title: 'Algo ha fallado', text: 'El problema es nuestro. Inténtalo de nuevo en unos minutos.' },
    toAccount: 'Ir a tu cuenta',
  },

  shop,
  account,
  applications,
  assets,
  gallery,
  reference,
};
