/** The texts of the gallery in Spanish. */
import { PRODUCT_NAME } from '../../../../protocol/product.ts';
import { html } from '../../html.ts';
import type { GalleryTexts } from './en.ts';

/** See {@link GalleryTexts}. */
export const gallery: GalleryTexts = {
  title: 'Galería',
  description: 'Qué aspecto puede tener el botón de pago y cómo añadirlo a tu página.',
  heading: 'Un botón a tu medida',
  lead: 'Todos los tamaños, estados e idiomas del botón, cada uno con su código. Desliza cualquiera: en esta página son demostraciones y no se mueve dinero.',
  onThisPage: 'En esta página',
  noScript: 'Los botones requieren JavaScript.',

  sections: {
    embed: { title: 'Ponlo en tu página', lead: 'Un script y un elemento por cada botón.' },
    sizes: { title: 'Tamaños', lead: 'Una clase, o dos propiedades personalizadas.' },
    looks: {
      title: 'Colores, esquinas, letra',
      lead: 'Propiedades personalizadas, puestas donde quieras: en el botón, en una sección, en toda la página.',
    },
    parts: { title: 'Partes', lead: 'Elementos con nombre dentro del botón a los que puedes dar estilo.' },
    themes: { title: 'Claro y oscuro', lead: 'Cada uno tiene su propio diseño; ninguno es solo el otro invertido.' },
    states: { title: 'Estados', lead: 'El estado del elemento está en data-state. Ninguno cambia su tamaño.' },
    kinds: { title: 'Tipos', lead: 'El tipo cambia las palabras, nunca el funcionamiento.' },
    languages: {
      title: 'Idiomas',
      lead: `${PRODUCT_NAME} usa el idioma del elemento en el que está. Los importes también lo siguen. Los idiomas distintos del inglés se cargan cuando hacen falta.`,
    },
  },

  upToDate: 'Siempre al día',
  upToDateText: 'En caché durante un minuto. Tu página recibe las actualizaciones sola.',
  upToDateCode: 'el script más reciente',
  pinned: 'Fijado a esta versión',
  pinnedText: (list) =>
    html`Disponible para siempre, y el navegador rechaza cualquier otra cosa. No carga nada por sí mismo: fija también los idiomas y las partes que uses. ${list} los enumera todos.`,
  pinnedCode: 'esta versión del script',
  notBuilt: 'El botón aún no se ha compilado.',
  element: 'Un elemento por cada botón',
  elementText: (render, to) =>
    html`O desde JavaScript: ${render}. Pon tu propio paymail, ID de usuario o dirección en ${to}.`,
  elementCode: 'un botón',
  elementLabel: 'Leer el artículo',
  languageCode: 'el idioma de una página',

  propertiesTitle: 'Propiedades personalizadas',
  propertyName: 'Nombre',
  propertyInitial: 'Por defecto',
  propertyChanges: 'Qué cambia',
  properties: {
    '--sb-accent': 'Relleno, tirador, enlaces, anillo de foco',
    '--sb-paper': 'Tirador y texto sobre un relleno',
    '--sb-track': 'La pista bajo el tirador',
    '--sb-ink': 'Texto',
    '--sb-muted': 'Indicaciones, comisiones, botones desactivados',
    '--sb-outline': 'Contorno',
    '--sb-success': 'Relleno una vez pagado',
    '--sb-danger': 'Errores',
    '--sb-height': 'Alto de la pista',
    '--sb-width': 'Ancho, al menos 220px',
    '--sb-radius': 'Esquinas',
    '--sb-font': 'Tipo de letra',
    '--sb-font-size': 'Tamaño de la letra',
  },
  initials: {
    '--sb-height': '48px; compacto 36px',
    '--sb-width': '300px; completo 100%',
    '--sb-radius': 'la mitad del alto',
  },

  partNames: 'Nombres de las partes',
  parts: {
    button: 'Todo menos el formulario',
    track: 'El deslizador',
    thumb: 'La parte que arrastras',
    fill: 'El color detrás del tirador',
    label: 'El texto del centro',
    amount: 'El importe a pagar',
    cost: 'La comisión de red bajo el importe',
    'get-wallet': 'El enlace que se muestra si no hay monedero',
    phone: 'El botón que abre el código para escanear',
    panel: 'El panel con ese código',
    form: 'Los campos de un botón editable',
    field: 'Uno de ellos, con su nombre',
    pay: 'El botón que paga tras una pulsación',
    cancel: 'La vuelta atrás',
    preset: 'Uno de los importes para elegir',
    question: 'La pregunta sobre un importe ambiguo',
  },

  picture: (state) => `El botón: ${state}`,
  states: {
    loading: { title: 'Buscando un monedero', text: 'Durante 0,6 segundos como máximo.' },
    ready: { title: 'Listo', text: 'Desliza, o usa las flechas, Intro y Escape.' },
    working: { title: 'En curso', text: 'El monedero pregunta al usuario. Aún no se ha pagado nada.' },
    done: { title: 'Pagado', text: 'Tu mensaje de éxito, por un momento.' },
    receipt: { title: 'El recibo', text: 'Permanece, para que nadie pague dos veces.' },
    error: { title: 'Un error', text: 'Una línea breve dice qué hacer. Desliza otra vez para reintentar.' },
    'no-wallet': { title: 'Sin monedero', text: 'Una forma de obtener uno, del mismo tamaño.' },
    disabled: { title: 'Desactivado', text: 'Con data-disabled. Su título dice por qué.' },
    failed: { title: 'Mal configurado', text: 'data-reason tiene un código estable; la consola dice qué cambiar.' },
    editable: { title: 'Editable', text: 'Con un formulario encima de la pista.' },
    rtl: { title: 'De derecha a izquierda', text: 'Se desliza de derecha a izquierda, en el idioma de la página.' },
    compact: { title: 'Compacto', text: 'Los mismos estados en 36 píxeles.' },
    full: { title: 'Ancho completo', text: 'El importe se queda al final.' },
  },

  examples: {
    default: {
      title: 'Por defecto',
      text: '300 × 48 píxeles; más estrecho donde hay menos espacio, hasta 220. Conserva su tamaño en todos los estados.',
      label: 'Leer el artículo',
    },
    compact: { title: 'Compacto', text: '36 píxeles de alto, para listas y barras.', label: 'Desbloquear' },
    full: { title: 'Ancho completo', text: 'Tan ancho como su contenedor.', label: 'Pagar el pedido' },
    size: {
      title: 'Tu propio tamaño',
      text: 'Al menos 220 píxeles de ancho. Por debajo de 280, el texto pasa encima del importe.',
      label: 'Una canción',
    },
    accent: {
      title: 'Tu color',
      text: 'Uno para páginas claras y otro para oscuras. Mantén un contraste de 4,5 a 1 con la pista y el papel.',
      label: 'Unirse al club',
    },
    square: { title: 'Cuadrado', text: 'El tirador y el relleno siguen las esquinas.', label: 'Comprar el plan' },
    font: {
      title: 'Tu propia letra',
      text: 'Cualquier letra de la página; las cifras quedan alineadas.',
      label: 'La edición de hoy',
    },
    quiet: { title: 'Discreto', text: 'Sin fondo propio, para páginas con bastante color.', label: 'Dejar propina' },
    part: {
      title: 'Estilo de una parte',
      text: 'Para lo que las propiedades no cubren, usa ::part().',
      label: 'Una entrada',
    },
    light: {
      title: 'En una página clara',
      text: 'El botón sigue el color-scheme de su entorno, no el del sistema del visitante.',
      label: 'Leer el artículo',
    },
    dark: {
      title: 'En una página oscura',
      text: 'Una página que admite ambos pone «color-scheme: light dark».',
      label: 'Leer el artículo',
    },
    buy: { title: 'Comprar', text: 'El tipo por defecto. Sin etiqueta, dice qué hacer.' },
    tip: { title: 'Propina', text: 'Otras palabras antes y después.' },
    user: {
      title: 'A un usuario',
      text: 'Por paymail o por el ID de usuario (cifras) de un usuario de tu servicio. El monedero muestra ambos.',
      label: 'Enviárselo a Ann',
    },
    sign: {
      title: 'Para firmar',
      text: 'No paga nada: el monedero firma, cifra o descifra, y tu página recibe el resultado.',
      label: 'Firmar la petición',
      success: 'Firmada',
    },
    editable: {
      title: 'Editable',
      text: 'El visitante elige a quién pagar y cuánto; destinatario y moneda solo rellenan el formulario.',
    },
    message: {
      title: 'Tu propio mensaje de éxito',
      text: 'Desliza: primero aparece tu mensaje y después el recibo.',
      label: 'Apóyanos',
      success: 'Eres genial',
    },
  },
};
