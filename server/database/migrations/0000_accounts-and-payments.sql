CREATE TABLE "access_tokens" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"user_id" bigint NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_outputs" (
	"payment_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"type" text NOT NULL,
	"to" text NOT NULL,
	"paymail" text,
	"user_id" text,
	"address" text,
	"script" text,
	"amount" text NOT NULL,
	"currency" text NOT NULL,
	"satoshis" bigint NOT NULL,
	"scripts" jsonb NOT NULL,
	CONSTRAINT "payment_outputs_payment_id_position_pk" PRIMARY KEY("payment_id","position")
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"txid" text NOT NULL,
	"normalized_txid" text NOT NULL,
	"rawtx" "bytea" NOT NULL,
	"amount" text NOT NULL,
	"currency" text NOT NULL,
	"satoshis" bigint NOT NULL,
	"origin" text,
	"client_identifier" text,
	"button_id" text,
	"button_data" text,
	"status" text NOT NULL,
	"status_description" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"next_check_at" timestamp with time zone,
	"checks" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "payments_txid_unique" UNIQUE("txid")
);
--> statement-breakpoint
CREATE TABLE "sign_in_challenges" (
	"nonce_hash" text PRIMARY KEY NOT NULL,
	"public_key" text NOT NULL,
	"registration" jsonb,
	"issued_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1001 CACHE 1),
	"handle" text NOT NULL,
	"name" text NOT NULL,
	"public_key" text NOT NULL,
	"receiving_xpub" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "users_handle_unique" UNIQUE("handle"),
	CONSTRAINT "users_public_key_unique" UNIQUE("public_key")
);
--> statement-breakpoint
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_outputs" ADD CONSTRAINT "payment_outputs_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "access_tokens_expires_at" ON "access_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "payments_next_check_at" ON "payments" USING btree ("next_check_at") WHERE "payments"."next_check_at" is not null;--> statement-breakpoint
CREATE INDEX "payments_user_id" ON "payments" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "sign_in_challenges_expires_at" ON "sign_in_challenges" USING btree ("expires_at");