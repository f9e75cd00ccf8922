export { type Berths, makeBerths } from "./berths.ts";
export { type Harbour, startHarbour } from "./harbour.ts";
export {
  type ApiCall,
  OAUTH_CLIENT,
  type OAuthServer,
  type Person,
  startOAuthServer,
} from "./oauth-server.ts";
export { OWNERS, ownerAt, parcelAt, parcelsFiles, startParcels } from "./parcels-api.ts";
export { type ProxyManner, startProxy, type TestProxy } from "./start-proxy.ts";
export { makeBoats, startQuay, type TestBoat } from "./quay-server.ts";
export { type Received, type Reply, startServer, type TestServer } from "./start-server.ts";
