/** @jsxImportSource react */
import { setServiceUrl } from 'service-button';
import { createRoot } from 'react-dom/client';
import { CoffeeShop } from './coffee-shop.tsx';

// The target of "Get the wallet".
setServiceUrl('http://localhost:3000');

createRoot(document.getElementById('root') as HTMLElement).render(<CoffeeShop />);
