import { render } from "preact";
import { storeForOffline } from "../offline/register.ts";
import { LessonPage } from "./page.tsx";
import { followAddress, showAnchor } from "./parameters.ts";

const app = document.getElementById("app");
if (app === null) throw new Error("lesson.html has no element #app");

// Before the first rendering, which then shows what the link says at once.
followAddress();
render(<LessonPage />, app);
showAnchor();

if (import.meta.env.PROD) storeForOffline();
