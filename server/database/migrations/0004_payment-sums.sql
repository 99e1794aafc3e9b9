ALTER TABLE "payments" ADD COLUMN "output_satoshis" bigint;--> statement-breakpoint
CREATE INDEX "payments_button_id" ON "payments" USING hash ("button_id") WHERE "payments"."button_id" is not null;