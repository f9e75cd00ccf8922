export {
  aiSdkTurn,
  anthropicTurn,
  openAiResponse,
  openAiTurn,
  PLAN_AND_RUN,
  scriptedModel,
  type ScriptedModel,
  type Turn,
} from "./scripted-model.ts";
