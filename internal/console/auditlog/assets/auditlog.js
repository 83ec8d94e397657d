// Reloads the page while a verification is running.
"use strict";

if (document.querySelector("[data-under-way]")) setTimeout(() => location.reload(), 1500);
