/**
 * The name programs call a capability by: without a leading `lower(Entity)_`, `_` written `-`
 * (catalog format, section 7). `parcel_mark_lost` of Parcel is `mark-lost`.
 */
export function capabilityLabel(capability: string, entity: string): string {
  const prefix = `${entity.toLowerCase()}_`;
  const own = capability.startsWith(prefix) ? capability.slice(prefix.length) : capability;
  return (own === "" ? capability : own).replaceAll("_", "-");
}
