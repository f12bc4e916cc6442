# Masks how long a program ran, which is real time also if its clock is moved by hand.
s/^(wall|processor) time .*/RUN/
s/^(overhead of profiling [^,]*), .*/\1/
/^more: /d
