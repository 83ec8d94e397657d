// While the trail is being verified, the page looks again by itself.
"use strict";

if (document.querySelector("[data-under-way]")) setTimeout(() => location.reload(), 1500);
