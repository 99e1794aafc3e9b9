/** The texts of the demo shop in Spanish. */
import type { ShopTexts } from './en.ts';

/** See {@link ShopTexts}. */
export const shop: ShopTexts = {
  title: 'Tienda de prueba',
  description: 'Tres cosas pequeñas que se pagan deslizando.',
  heading: 'La tienda de la esquina',
  lead: 'Tres cosas pequeñas; cada una se paga con un solo gesto.',
  playMoney: 'Las monedas son de juguete; todo lo demás es de verdad.',
  noAddress: 'Esta tienda no tiene una dirección a la que pagar, así que sus botones son solo para probar.',
  noScript: 'Los botones necesitan JavaScript.',
  items: {
    article: {
      name: 'Un buen artículo',
      label: 'Leerlo',
      text: 'Cuatro minutos sobre por qué los pagos pequeños eran difíciles. Sin suscripción.',
    },
    coffee: {
      name: 'Un café para el autor',
      label: 'Dejar propina',
      text: '¿Te ha gustado? Esto va directo al autor.',
    },
    print: {
      name: 'Una lámina para tu pared',
      label: 'Comprar la lámina',
      text: 'Dunas a las seis de la mañana, en un archivo que se imprime bien hasta 50 cm.',
    },
  },
  receipt: 'Recibo',
  script: {
    heading: 'Tu recibo',
    paidFor: 'Por',
    paid: 'Pagado',
    satoshis: 'Satoshis',
    status: 'Estado',
    statuses: { PENDING: 'Pendiente', RECEIVED: 'En la red', COMPLETED: 'Confirmado', FAILED: 'Fallido' },
    transaction: 'Transacción',
    payment: 'Pago',
    failed: 'No ha funcionado',
    seeButton: 'El botón dice qué hacer ahora.',
  },
};
