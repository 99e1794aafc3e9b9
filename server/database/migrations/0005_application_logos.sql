CREATE TABLE "application_logos" (
	"application_id" uuid PRIMARY KEY NOT NULL,
	"digest" text NOT NULL,
	"type" text NOT NULL,
	"image" "bytea" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "logo" text;--> statement-breakpoint
ALTER TABLE "application_logos" ADD CONSTRAINT "application_logos_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;