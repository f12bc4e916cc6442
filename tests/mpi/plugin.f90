! A library that a program without MPI loads: two ranks or more give each other a number.
subroutine go() bind(c)
  use mpi
  implicit none
  integer :: error, number
  call MPI_Init(error)
  number = 1
  call MPI_Allreduce(MPI_IN_PLACE, number, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  call MPI_Finalize(error)
end subroutine
