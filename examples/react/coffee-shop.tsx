/** @jsxImportSource react */
import type { Payment } from 'service-button';
import { ServiceButton } from 'service-button/react';
import { useState } from 'react';

/** US cents. */
const PRICE = 150;

/** Formats cents as a decimal string, because money is never a float. */
const dollars = (cents: number) => `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

export function CoffeeShop() {
  const [cups, setCups] = useState(1);
  const [paid, setPaid] = useState<Payment | null>(null);
  const [problem, setProblem] = useState('');

  return (
    <main>
      <h1>Coffee by the cup</h1>
      <p>Beans from last week’s roast. Pay here, and pick up at the counter.</p>
      <div className="cups" role="group" aria-label="Cups">
        <button type="button" aria-label="One less" disabled={cups === 1} onClick={() => setCups(cups - 1)}>
          −
        </button>
        <output>{cups}</output>
        <button type="button" aria-label="One more" disabled={cups === 9} onClick={() => setCups(cups + 1)}>
          +
        </button>
      </div>
      <ServiceButton
        className="pay"
        to="mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb"
        amount={dollars(cups * PRICE)}
        currency="USD"
        label={cups === 1 ? 'One cup' : `${cups} cups`}
        onPayment={(payment) => {
          setProblem('');
          setPaid(payment);
        }}
        onError={(error) => setProblem(error.message)}
      />
      {problem && <p role="alert">{problem}</p>}
      {/* A real shop verifies the payment on its server first: see examples/shop. */}
      {paid && (
        <p role="status">
          Paid {paid.amount} {paid.currency}. Your number is <strong>{paid.id.slice(0, 4)}</strong>.
        </p>
      )}
    </main>
  );
}
