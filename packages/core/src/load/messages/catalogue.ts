import { capabilityMessages } from "./capability-messages.ts";
import { domainMessages } from "./domain-messages.ts";
import { fileMessages } from "./file-messages.ts";
import { inputMessages } from "./input-messages.ts";
import { mappingMessages } from "./mapping-messages.ts";
import type { MessageParams } from "./message.ts";
import { responseMessages } from "./response-messages.ts";
import { templateMessages } from "./template-messages.ts";
import { valueMessages } from "./value-messages.ts";
import { viewMessages } from "./view-messages.ts";

/** Every code of the catalog formats with its severity and texts. */
export const catalogMessages = {
  ...fileMessages,
  ...domainMessages,
  ...valueMessages,
  ...capabilityMessages,
  ...inputMessages,
  ...viewMessages,
  ...templateMessages,
  ...mappingMessages,
  ...responseMessages,
} as const;

export type CatalogCode = keyof typeof catalogMessages;

/** The variants of a code's text. */
export type MessageVariant<C extends CatalogCode> = keyof (typeof catalogMessages)[C]["texts"];

/** What a text of a code must be given. */
export type ParamsOf<
  C extends CatalogCode,
  V extends MessageVariant<C>,
> = (typeof catalogMessages)[C]["texts"][V] extends infer T extends string
  ? MessageParams<T>
  : never;
