/** @jsxImportSource react */
import { setServiceUrl } from 'service-button';
import { createRoot } from 'react-dom/client';
import { CoffeeShop } from './coffee-shop.tsx';

// Where people without a wallet are led.
setServiceUrl('http://localhost:3000');

createRoot(document.getElementById('root') as HTMLElement).render(<CoffeeShop />);
