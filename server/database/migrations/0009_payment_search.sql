CREATE TABLE "payment_search" (
	"payment_id" uuid PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"keys" "tsvector" NOT NULL
);
--> statement-breakpoint
DROP INDEX "payments_client_sender";--> statement-breakpoint
ALTER TABLE "payment_search" ADD CONSTRAINT "payment_search_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_search_keys" ON "payment_search" USING gin ("keys") WITH (fastupdate=false);