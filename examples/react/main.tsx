/** @jsxImportSource react */
import { setServiceUrl } from 'service-button';
import { createRoot } from 'react-dom/client';
import { CoffeeShop } from './coffee-shop.tsx';

// Visitors without a wallet are sent to this service, and payments are reported to it.
setServiceUrl('http://localhost:3000');

createRoot(document.getElementById('root') as HTMLElement).render(<CoffeeShop />);
