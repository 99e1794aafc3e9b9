CREATE TABLE "paymail_destinations" (
	"reference" text PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"satoshis" bigint NOT NULL,
	"outputs" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "received_transactions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sequence" bigint GENERATED ALWAYS AS IDENTITY (sequence name "received_transactions_sequence_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"reference" text NOT NULL,
	"user_id" bigint NOT NULL,
	"txid" text NOT NULL,
	"rawtx" "bytea" NOT NULL,
	"payment_id" uuid NOT NULL,
	"payment_created_at" timestamp with time zone NOT NULL,
	"sender" text,
	"sender_verified" boolean NOT NULL,
	"note" text,
	"created_at" timestamp with time zone NOT NULL,
	"acknowledged_at" timestamp with time zone,
	CONSTRAINT "received_transactions_reference_unique" UNIQUE("reference")
);
--> statement-breakpoint
ALTER TABLE "payments" DROP CONSTRAINT "payments_txid_unique";--> statement-breakpoint
ALTER TABLE "payments" ALTER COLUMN "user_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_outputs" ADD COLUMN "reference" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "crypto_operations" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "receiving_base" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "receiving_turn" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "paymail_destinations" ADD CONSTRAINT "paymail_destinations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "received_transactions" ADD CONSTRAINT "received_transactions_reference_paymail_destinations_reference_fk" FOREIGN KEY ("reference") REFERENCES "public"."paymail_destinations"("reference") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "received_transactions" ADD CONSTRAINT "received_transactions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "received_transactions" ADD CONSTRAINT "received_transactions_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "paymail_destinations_created_at" ON "paymail_destinations" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "paymail_destinations_user_id" ON "paymail_destinations" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "received_transactions_waiting" ON "received_transactions" USING btree ("user_id","sequence") WHERE "received_transactions"."acknowledged_at" is null;--> statement-breakpoint
CREATE INDEX "received_transactions_user_id" ON "received_transactions" USING btree ("user_id","payment_created_at","payment_id");--> statement-breakpoint
CREATE INDEX "received_transactions_txid" ON "received_transactions" USING btree ("txid");--> statement-breakpoint
CREATE INDEX "received_transactions_payment_id" ON "received_transactions" USING btree ("payment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_reported_txid" ON "payments" USING btree ("txid") WHERE "payments"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "payments_txid" ON "payments" USING btree ("txid");